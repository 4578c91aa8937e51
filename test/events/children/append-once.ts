import { once } from "node:events";
import { systemEnvironment } from "../../../src/environment.ts";
import { LogError } from "../../../src/events/log-error.ts";
import { openSqliteLog } from "../../../src/events/sqlite-log.ts";

/*
 * append-once <events.db>: opens the log, prints "ready", then appends for every line of its input, which is the JSON of
 * append's arguments, and prints the JSON of the outcome and the positions, or of the error's code.
 */
const [path = ""] = process.argv.slice(2);
const log = openSqliteLog(path, systemEnvironment());
process.stdout.write("ready\n");
for (;;) {
  const [data] = await once(process.stdin, "data");
  const line = String(data).trim();
  if (line === "end") break;
  process.stdout.write(`${JSON.stringify(await answer(line))}\n`);
}
await log.close();
process.stdin.destroy();

async function answer(line: string): Promise<unknown> {
  const [events, condition] = JSON.parse(line);
  try {
    const appended = await log.append(events, condition);
    return { outcome: appended.outcome, positions: appended.events.map(({ position }) => position) };
  } catch (error) {
    return { outcome: error instanceof LogError ? error.code : String(error), positions: [] };
  }
}
