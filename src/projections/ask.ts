import Database from "better-sqlite3";
import type { EventLog } from "../events/log.ts";
import type { ReadModel } from "./read-model.ts";
import { catchUp, isOutdated } from "./worker.ts";

/**
 * Answers a question from the read model at the head of the log, all of it as of one position.
 *
 * Of a long log whose tables have to be made anew, as after an upgrade, it is answered at once from the old ones, which the read model
 * tells (`outdated`); where those cannot answer it, it waits. Whoever decides waits in any case: see `catchUp`.
 *
 * @throws ReadModelError as `catchUp`
 */
export async function ask<Answer>(
  { readModel, log }: { readonly readModel: ReadModel; readonly log: EventLog },
  question: (readModel: ReadModel) => Answer,
): Promise<Answer> {
  const look = () => readModel.snapshot(() => question(readModel));
  if (await isOutdated(readModel, log)) {
    try {
      const answer = look();
      readModel.outdated.next(readModel.position());
      return answer;
    } catch (error) {
      if (!isOfOtherTables(error)) throw error;
    }
  }
  await catchUp(readModel, log);
  return look();
}

/** The older version had other tables, or columns: SQLite cannot prepare the question. */
function isOfOtherTables(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Database.SqliteError && cause.code === "SQLITE_ERROR";
}
