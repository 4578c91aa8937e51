import { writeSync } from "node:fs";
import { systemEnvironment } from "../../../src/decisions/system-environment.ts";
import { openSqliteLog } from "../../../src/events/sqlite-log.ts";
import { comments } from "../../events/given.ts";

/* append-without-ids <events.db>: appends a batch whose ids the log gives, and prints where each of its events is, or the error. */
try {
  const log = openSqliteLog(process.argv[2] ?? "", systemEnvironment());
  const { events } = await log.append(comments(3));
  writeSync(1, `${JSON.stringify(events.map(({ position, id }) => ({ position, id })))}\n`);
  await log.close();
} catch (error) {
  writeSync(1, `${JSON.stringify(String(error))}\n`);
}
