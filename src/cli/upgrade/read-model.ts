import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { findMadeHistory } from "../../history/time-travel/history/history-file.ts";
import { ralphFolderOf } from "../../lib/project-folder.ts";
import { counted, duration } from "../../lib/readable.ts";
import { type Finding, failed, ok, warning } from "../../loop/doctor/check.ts";
import { isNewer, outdatedIn, type ReadModelState, readState } from "../../loop/doctor/read-model.ts";
import { projections } from "../../projections/all.ts";

/** What the first command of this version does to the read model. @param events in the log */
export function lookAtReadModel(path: string, events: number): Finding {
  const takes = `from ${counted(events, "event")}, in roughly ${duration(Math.ceil(events / EVENTS_PER_SECOND))}`;
  if (!existsSync(path)) return ok(NAME, `there is none; the first command builds it ${takes}`);
  let state: ReadModelState;
  try {
    state = readState(path);
  } catch (error) {
    if (!(error instanceof Database.SqliteError)) throw error;
    return ok(NAME, `it cannot be read (${error.message}); the first command builds it again ${takes}`);
  }
  if (isNewer(state)) {
    const mend =
      "Keep the newer version. To go back, stop everything and delete .ralph/db/ralph.db with its -wal and -shm.";
    return failed(NAME, "a newer version built it, and this one refuses it", mend);
  }
  const outdated = outdatedIn(state);
  if (outdated.length === 0) return ok(NAME, "this version uses it as it is");
  const which = outdated.length === projections.length ? "all of it" : outdated.join(", ");
  return ok(
    NAME,
    `the first command rebuilds ${which} ${takes}: questions are answered from the old tables, decisions wait`,
  );
}

const NAME = "read model";

/** The slowest of the rebuilds in bench/results.md. */
const EVENTS_PER_SECOND = 12_000;

/** What happens to the cache that makes `--at` fast. */
export function lookAtHistory(readModelPath: string): Finding {
  const folder = join(ralphFolderOf(readModelPath), "history");
  if (!existsSync(folder) || readdirSync(folder).length === 0) return ok("history", "there is none");
  if (findMadeHistory(readModelPath) !== undefined) return ok("history", "this version uses it as it is");
  return warning(
    "history",
    "another version made it; this one does not use it",
    "Make it again after the upgrade with `signalbox history make`.",
  );
}
