import { writeSync } from "node:fs";
import { openStore } from "../../../src/decisions/store.ts";
import { systemEnvironment } from "../../../src/decisions/system-environment.ts";
import { catchUp } from "../../../src/read-model/worker.ts";
import { announcedBatch, type Line } from "../announced-batch.ts";

/*
 * write-announced <ralph.db> <label> <first>: appends the batches of a label from number `first` on, one after another,
 * until it is told to end. Says of each batch that it is about to be sent; that it is written, which its caller does not
 * hear; and, when the read model is up to date, where it stands: that is the answer.
 */
const [path = "", label = "", first = "1"] = process.argv.slice(2);
let ending = false;
process.stdin.once("data", () => {
  ending = true;
});
const { log, readModel } = await openStore(path, systemEnvironment());
for (let number = Number(first); !ending; number++) {
  say({ sending: number });
  const { outcome, events } = await log.append(announcedBatch(label, number));
  say({ written: number });
  // As the server does for some of its tools: a kill in between leaves a caller without answer to what was written.
  await catchUp(readModel, log);
  say({ answered: number, outcome, positions: events.map(({ position }) => position) });
}
await log.close();
readModel.close();
process.stdin.destroy();

/** Written with one system call: what was said is not lost in a buffer when the process is killed. */
function say(line: Line): void {
  writeSync(1, `${JSON.stringify(line)}\n`);
}
