import { existsSync } from "node:fs";
import Database from "better-sqlite3";
import { LogError } from "../../events/log-error.ts";
import { openToLook } from "../../events/sqlite-look.ts";
import { isAlive } from "../drivers/registry.ts";
import { type Check, type Finding, ok, skipped, warning } from "./check.ts";
import { withLog } from "./log.ts";
import { isCurrent, positionOf, stateOf } from "./read-model.ts";

const NAME = "sessions";

/** Whether sessions are open that nobody will end: their driver has stopped, or they never had one. */
export const sessionsCheck: Check = {
  name: NAME,
  async look({ readModelPath }) {
    if (readModelPath === undefined) return [skipped(NAME, "there is no project")];
    try {
      const head = await withLog(readModelPath, (log) => log.head());
      return [lookAt(readModelPath, head)];
    } catch (error) {
      if (error instanceof LogError) return [skipped(NAME, "they follow from the log, which cannot be read")];
      if (error instanceof Database.SqliteError) return [skipped(NAME, "the read model cannot be read")];
      throw error;
    }
  },
};

interface Open {
  readonly id: string;
  readonly task_id: number;
  readonly driver: string | null;
}

function lookAt(path: string, head: number): Finding {
  const behind = skipped(NAME, "the read model is behind; `signalbox status` brings it to the head");
  if (!existsSync(path)) return behind;
  const database = openToLook(path);
  try {
    const state = stateOf(database);
    if (!isCurrent(state) || positionOf(state) < head) return behind;
    return judgeSessions(
      path,
      database
        .prepare<[], Open>(
          "SELECT id, task_id, driver FROM sessions WHERE completed_at IS NULL ORDER BY started_position",
        )
        .all(),
    );
  } finally {
    database.close();
  }
}

const SHOWN = 5;

function judgeSessions(path: string, open: readonly Open[]): Finding {
  if (open.length === 0) return ok(NAME, "none is open");
  const alone = open.filter(({ driver }) => driver === null || !isAlive(path, driver));
  if (alone.length === 0) return ok(NAME, `${open.length} open, each of a driver that is alive`);
  const named = alone
    .slice(0, SHOWN)
    .map(
      ({ id, task_id, driver }) =>
        `${id} of task ${task_id} (${driver === null ? "no driver" : `${driver} is gone`})`,
    );
  const more = alone.length > SHOWN ? ` and ${alone.length - SHOWN} more` : "";
  const left = alone.some(({ driver }) => driver !== null);
  return warning(
    NAME,
    `No driver watches ${named.join(", ")}${more}`,
    left
      ? "`signalbox driver recover` ends what drivers have left open that are gone, and `signalbox run` begins with that."
      : "`signalbox session list --open` shows them; one whose agent is gone: `signalbox session end SESSION --exit crashed`.",
  );
}
