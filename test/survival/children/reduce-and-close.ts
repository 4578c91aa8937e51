import { writeSync } from "node:fs";
import { history, take } from "../../../bench/lib/history.ts";
import { closeStore, openStore } from "../../../src/decisions/store.ts";
import { replayEnvironment } from "../../../src/decisions/system-environment.ts";
import { logPathBeside } from "../../../src/events/log-location.ts";
import { createLogFile } from "../../../src/events/sqlite-file.ts";
import { rebuild } from "../../../src/read-model/rebuild.ts";
import { catchUp } from "../../../src/read-model/worker.ts";
import { NOON } from "../../events/given.ts";

/*
 * reduce-and-close <ralph.db> <rounds> <batches>: in each round makes sure that the log is there, opens log and read
 * model, appends the events of a project's life, reduces them now and then, rebuilds the read model once, and closes
 * both. Says "created" when the log is made, and the position of each batch's last event when it is acknowledged.
 */
const [path = "", rounds = "0", batches = "0"] = process.argv.slice(2);
// The same in every run, so that a point of a campaign is, too.
const environment = replayEnvironment("power cut", () => NOON);
const say = (line: string) => writeSync(1, `${line}\n`);
const life = history("growing");

for (let round = 1; round <= Number(rounds); round++) {
  createLogFile(logPathBeside(path));
  say("created");
  const store = await openStore(path, environment);
  for (let number = 1; number <= Number(batches); number++) {
    const { events } = await store.log.append(take(life, 1 + (number % 4)));
    say(String(events.at(-1)?.position));
    if (number % 3 === 0) await catchUp(store.readModel, store.log);
    if (number === Math.floor(Number(batches) / 2)) await rebuild(store.readModel, store.log);
  }
  await closeStore(store);
}
