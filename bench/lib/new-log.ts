import { systemEnvironment } from "../../src/decisions/system-environment.ts";
import type { EventLog } from "../../src/events/log.ts";
import { createLogFile } from "../../src/events/sqlite-file.ts";
import { openSqliteLog } from "../../src/events/sqlite-log.ts";
import type { Environment } from "../../src/lib/environment.ts";

/** An empty log in a file of its own. */
export function newLog(path: string, environment: Environment = systemEnvironment()): EventLog {
  createLogFile(path);
  return openSqliteLog(path, environment);
}
