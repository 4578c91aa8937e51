import { writeSync } from "node:fs";
import { closeStore, openStore } from "../../../src/decisions/store.ts";
import { logPathBeside } from "../../../src/events/log-location.ts";
import { createLogFile } from "../../../src/events/sqlite-file.ts";
import { catchUp } from "../../../src/read-model/worker.ts";
import { environmentAt, NOON } from "../../events/given.ts";
import { markedBatch } from "../../events/marked-batch.ts";

/*
 * work-on-store <ralph.db> <label> [--init]: does twice: opens the store, catches up, appends batches and reduces them by
 * turns, closes. Prints the positions of each batch once it was acknowledged. With --init it makes the log before, and
 * again after, which checkpoints and deletes the WAL.
 */
const [path = "", label = "", init] = process.argv.slice(2);
const OPENINGS = 2;
const BATCHES = 4;

// The same work at every start: ids, times and salts follow from the label, so a system call keeps its number.
const environment = environmentAt({ now: NOON }, label);
if (init) createLogFile(logPathBeside(path));
for (let opening = 0; opening < OPENINGS; opening++) {
  const store = await openStore(path, environment);
  await catchUp(store.readModel, store.log);
  for (let number = opening * BATCHES + 1; number <= (opening + 1) * BATCHES; number++) {
    const { events } = await store.log.append(markedBatch(label, number, 1 + (number % 5)));
    // Written with one system call: what was acknowledged is not lost in a buffer when the process is killed.
    writeSync(1, `${JSON.stringify([`${label}-${number}`, events.map(({ position }) => position)])}\n`);
    if (number % 2 === 0) await catchUp(store.readModel, store.log);
  }
  await closeStore(store);
}
if (init) createLogFile(logPathBeside(path));
