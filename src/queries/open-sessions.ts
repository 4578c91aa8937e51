import { question, type RowOf } from "../read-model/question.ts";
import type { ReadView } from "../read-model/read-view.ts";

/** A session that is open now, and who runs it where. */
export type OpenSession = RowOf<typeof OPEN>;

/** Open sessions in the order in which they started. */
export function openSessions(readModel: ReadView): OpenSession[] {
  return readModel.all(OPEN, {});
}

const OPEN = question()((tables) =>
  tables
    .selectFrom("sessions as s")
    .leftJoin("tasks as t", "t.id", "s.task_id")
    .leftJoin("loops as l", "l.driver", "s.driver")
    .leftJoin("agents as a", "a.session_id", "s.id")
    .where("s.completed_at", "is", null)
    .select(["s.id as session", "s.task_id as task"])
    .select(({ fn, val }) => fn.coalesce("t.title", val("")).as("task_title"))
    // What the session's own agent told, else what its driver launches.
    .select(({ fn }) => fn.coalesce("a.agent", "l.agent").as("agent"))
    .select(["s.current_state as state", "s.driver", "s.host", "s.started_at"])
    .orderBy("s.started_position"),
);
