import { once } from "node:events";
import { systemEnvironment } from "../../../src/decisions/system-environment.ts";
import { openSqliteLog } from "../../../src/events/sqlite-log.ts";
import { markedBatch } from "../marked-batch.ts";

/*
 * append-batches <events.db> <label> <count> <size> [--at-once]: opens the log, prints "ready", waits for a line, then
 * appends marked batches one after another (or all at once) and prints each one's positions.
 */
const [path = "", label = "", count = "0", size = "1", mode] = process.argv.slice(2);
const log = openSqliteLog(path, systemEnvironment());
process.stdout.write("ready\n");
await once(process.stdin, "data");
const append = async (number: number) => {
  const { events } = await log.append(markedBatch(label, number, Number(size)));
  process.stdout.write(`${JSON.stringify([`${label}-${number}`, events.map(({ position }) => position)])}\n`);
};
const all = Array.from({ length: Number(count) }, (_, index) => index + 1);
if (mode === "--at-once") await Promise.all(all.map(append));
else for (const number of all) await append(number);
await log.close();
process.stdin.destroy();
