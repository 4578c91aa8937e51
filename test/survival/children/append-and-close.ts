import { writeSync } from "node:fs";
import { replayEnvironment } from "../../../src/decisions/system-environment.ts";
import { createLogFile } from "../../../src/events/sqlite-file.ts";
import { openSqliteLog } from "../../../src/events/sqlite-log.ts";
import { NOON } from "../../events/given.ts";
import { markedBatch } from "../../events/marked-batch.ts";

/*
 * append-and-close <events.db> <rounds> <batches>: makes a log, and in each round makes sure that it is there, opens it,
 * appends marked batches, and closes it. Says "created" when the log is made, and prints the positions of each batch
 * when it is acknowledged.
 */
const [path = "", rounds = "0", batches = "0"] = process.argv.slice(2);
// The same in every run, so that a point of a campaign is, too.
const environment = replayEnvironment("power cut", () => NOON);
// With one system call: what was said stands in the trace before anything that comes later.
const say = (line: string) => writeSync(1, `${line}\n`);

for (let round = 1; round <= Number(rounds); round++) {
  // As `init` does. Nobody else has the log open: SQLite moves the WAL into the database and removes it.
  createLogFile(path);
  say("created");
  const log = openSqliteLog(path, environment);
  const append = async (number: number, size: number, label = "alone") => {
    const { events } = await log.append(markedBatch(`round${round}-${label}`, number, size));
    say(JSON.stringify(events.map(({ position }) => position)));
  };
  for (let number = 1; number <= Number(batches); number++) {
    if (number % 10 > 0) await append(number, 1 + (number % 3));
    // Three that wait together share one commit; every hundredth time they are large.
    else {
      const sizes = number % 100 === 0 ? [5, 10, 60] : [1, 2, 3];
      await Promise.all(sizes.map((size) => append(number, size, `beside${size}`)));
    }
  }
  await log.close();
}
