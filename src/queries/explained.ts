import { mergesTable } from "../projections/board/merge-tables.ts";
import { question } from "../read-model/question.ts";
import type { ReadView } from "../read-model/read-view.ts";
import { findSession } from "./find-sessions.ts";
import { landingsOf } from "./merges.ts";

/** What the log says of changes to the repository since a session began (docs/rules.md, Evidence: `outside`). */
export function explainedSince(readModel: ReadView, session: string) {
  const since = findSession(readModel, session)?.started_position ?? 0;
  const { merges } = readModel.rowsOf({ merges: mergesTable });
  const merged = merges.scan().filter(({ position, begun }) => position > since || (begun ?? 0) > since);
  return {
    /** The oldest first. */
    landings: landingsOf(readModel).reverse(),
    /** Tasks that had a session or a merge since. */
    worked: [
      ...new Set([...merged, ...readModel.all(WORKED, { since })].flatMap(({ task_id }) => task_id ?? [])),
    ].sort((a, b) => a - b),
  };
}

const WORKED = question<{ since: number }>()((tables, given) =>
  tables
    .selectFrom("sessions")
    .select("task_id")
    .where("completed_at", "is", null)
    .unionAll(
      tables.selectFrom("session_times").select("task_id").where("ended_position", ">", given("since")),
    ),
);
