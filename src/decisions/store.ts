import { dirname, join } from "node:path";
import type { Environment } from "../events/environment.ts";
import type { EventLog } from "../events/log.ts";
import { openSqliteLog } from "../events/sqlite-log.ts";
import type { Projection } from "../projections/projection.ts";
import { ReadModel } from "../projections/read-model.ts";
import { ReadModelError } from "../projections/read-model-error.ts";

/** A project's log and its read model, opened together; all work on a project needs both. */
export interface Store {
  readonly log: EventLog;
  readonly readModel: ReadModel;
  readonly environment: Environment;
}

/**
 * Opens the log and the read model of a project; the read model is not yet brought up to date.
 *
 * @param path the read model's file (`.ralph/db/ralph.db`, RALPH_DB_PATH); the log lies beside it
 * @param projections ours, if absent
 * @throws LogError `disk`: there is no log; `damaged`; `newer_schema`
 * @throws ReadModelError `newer_version`
 */
export function openStore(
  path: string,
  environment: Environment,
  projections?: readonly Projection[],
): Store {
  const log = openSqliteLog(logPathBeside(path), environment);
  try {
    return { log, readModel: openReadModel(path, projections), environment };
  } catch (error) {
    void log.close();
    throw error;
  }
}

/**
 * The read model is a cache: if its file cannot be opened or written, as in another user's project,
 * an in-memory one is filled from the log instead.
 */
function openReadModel(path: string, projections?: readonly Projection[]): ReadModel {
  try {
    return new ReadModel(path, projections);
  } catch (error) {
    if (error instanceof ReadModelError && error.code === "unusable")
      return new ReadModel(":memory:", projections);
    throw error;
  }
}

export function logPathBeside(readModelPath: string): string {
  return join(dirname(readModelPath), "events.db");
}

export async function closeStore(store: Store): Promise<void> {
  await store.log.close();
  store.readModel.close();
}
