import { once } from "node:events";
import { systemEnvironment } from "../../../src/decisions/system-environment.ts";
import { openSqliteLog } from "../../../src/events/sqlite-log.ts";
import { eventOf } from "../own-order.ts";

/*
 * append-together <events.db> <process> <count> <at once>: opens the log, says "ready", waits for a line, then appends
 * single events, so many at once, and prints the position of each as its own appends gave them.
 */
const [path = "", own = "0", count = "0", atOnce = "1"] = process.argv.slice(2);
const log = openSqliteLog(path, systemEnvironment());
process.stdout.write("ready\n");
await once(process.stdin, "data");
const positions: number[] = [];
for (let first = 1; first <= Number(count); first += Number(atOnce)) {
  const numbers = Array.from({ length: Number(atOnce) }, (_, index) => first + index);
  const answers = await Promise.all(numbers.map((number) => log.append([eventOf(Number(own), number)])));
  positions.push(...answers.flatMap(({ events }) => events.map(({ position }) => position)));
}
await log.close();
process.stdout.write(`${JSON.stringify(positions)}\n`);
process.stdin.destroy();
