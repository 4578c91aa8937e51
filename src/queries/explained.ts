import { mergesTable } from "../projections/board/merge-tables.ts";
import { question } from "../read-model/question.ts";
import type { ReadView } from "../read-model/read-view.ts";
import { findSession } from "./find-sessions.ts";
import { landingsOf } from "./merges.ts";

/** What the log says of changes to the repository since a session began (docs/rules.md, Evidence: `outside`). */
export function explainedSince(readModel: ReadView, session: string) {
  const since = findSession(readModel, session)?.started_position ?? 0;
  const { merges } = readModel.rowsOf({ merges: mergesTable });
  return {
    /** The oldest first. */
    landings: landingsOf(readModel).reverse(),
    /** Whether a task had a session or a merge since. */
    hadWork: (task: number) =>
      (merges.get(task)?.position ?? 0) > since ||
      (merges.get(task)?.begun ?? 0) > since ||
      readModel.get(WORKED, { task, since }) !== undefined,
  };
}

const WORKED = question<{ task: number; since: number }>()((tables, given) =>
  tables
    .selectFrom("sessions as s")
    .leftJoin("session_times as t", "t.session_id", "s.id")
    .select("s.id")
    .where("s.task_id", "=", given("task"))
    .where((eb) => eb.or([eb("s.completed_at", "is", null), eb("t.ended_position", ">", given("since"))]))
    .limit(1),
);
