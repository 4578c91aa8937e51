import { writeSync } from "node:fs";
import { openStore } from "../../../src/decisions/store.ts";
import { systemEnvironment } from "../../../src/environment.ts";
import { catchUp } from "../../../src/projections/worker.ts";
import { markedBatch } from "../marked-batch.ts";

/*
 * append-until-killed <ralph.db> <label>: appends batches of 1 to 5 events for ever, reduces now and then, and prints
 * the positions of each batch after it was acknowledged.
 */
const [path = "", label = ""] = process.argv.slice(2);
const { log, readModel } = openStore(path, systemEnvironment());
await catchUp(readModel, log);
for (let number = 1; ; number++) {
  const { events } = await log.append(markedBatch(label, number, 1 + (number % 5)));
  // Written with one system call: what was acknowledged here is not lost in a buffer when the process is killed.
  writeSync(1, `${JSON.stringify([`${label}-${number}`, events.map(({ position }) => position)])}\n`);
  if (number % 3 === 0) await catchUp(readModel, log);
}
