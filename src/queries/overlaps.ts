import { question } from "../read-model/question.ts";
import type { ReadView } from "../read-model/read-view.ts";

/** A file that another session changes too, while both run. */
export interface Overlap {
  readonly path: string;
  /** The other session, and its task. */
  readonly session: string;
  readonly task: number;
}

export function overlapsOf(readModel: ReadView, session: string): Overlap[] {
  return readModel.all(OF_SESSION, { session });
}

const OF_SESSION = question<{ session: string }>()((tables, given) =>
  tables
    .selectFrom("file_overlaps")
    .select(["path", "other_session_id as session", "other_task_id as task"])
    .where("session_id", "=", given("session"))
    .union(
      tables
        .selectFrom("file_overlaps")
        .select(["path", "session_id as session", "task_id as task"])
        .where("other_session_id", "=", given("session")),
    )
    .orderBy("path")
    .orderBy("session"),
);
