import type { PartOf } from "../lib/page.ts";
import { sessionStateRows, sessions } from "../projections/board/session-tables.ts";
import type { Session } from "../projections/board/tables.ts";
import { question } from "../read-model/question.ts";
import type { ReadView } from "../read-model/read-view.ts";

/** What a session came to. */
export interface SessionOutcome {
  /** Null for a session without one. */
  readonly task: number | null;
  readonly closing: "done" | "partial" | "stuck" | null;
  readonly inferred: boolean;
  readonly outcome: Session["outcome"];
  readonly states: string[];
  readonly irregular: number;
  readonly signals: number;
  readonly late: number;
}

export function sessionOutcome(readModel: ReadView, id: string): SessionOutcome | undefined {
  const rows = readModel.rowsOf({ sessions, states: sessionStateRows });
  const session = rows.sessions.get(id);
  return (
    session && {
      task: session.task_id,
      closing: session.closing,
      inferred: session.inferred === 1,
      outcome: session.outcome,
      states: rows.states.where({ session_id: id }).map(({ state }) => state),
      irregular: session.irregular,
      signals: session.signals,
      late: session.late,
    }
  );
}

export function findSession(readModel: ReadView, id: string): Session | undefined {
  return readModel.rowsOf({ sessions }).sessions.get(id);
}

/** Whether no other session was open since this one started. */
export function isAlone(readModel: ReadView, id: string): boolean {
  const since = findSession(readModel, id)?.started_position;
  if (since === undefined) return false;
  if (listSessions(readModel, { open: true, limit: 2 }).some((one) => one.id !== id)) return false;
  return readModel.get(ENDED_SINCE, { id, since }) === undefined;
}

const ENDED_SINCE = question<{ id: string; since: number }>()((tables, given) =>
  tables
    .selectFrom("session_times")
    .select("session_id")
    .where("ended_position", ">", given("since"))
    .where("session_id", "!=", given("id"))
    .limit(1),
);

/** Which sessions a list is of, and which part of it. */
export interface SessionsOf extends PartOf<string> {
  readonly task?: number | undefined;
  readonly open?: boolean | undefined;
}

/** Sessions in the order of their ids, which is that of their starts where the driver did not name them. */
export function listSessions(readModel: ReadView, filter: SessionsOf = {}): Session[] {
  const { task = null, open = false, after = "", limit = -1 } = filter;
  const list = task === null ? (open ? LISTS.open : LISTS.all) : open ? LISTS.openOfTask : LISTS.ofTask;
  return readModel.all(list, { task, after, limit });
}

/** Only what is asked for stands in the condition, so that an index can be used for it. */
function listOf({ ofTask, open }: { readonly ofTask: boolean; readonly open: boolean }) {
  return question<{ task: number | null; after: string; limit: number }>()((tables, given) =>
    tables
      .selectFrom("sessions")
      .selectAll()
      .$if(ofTask, (some) => some.where("task_id", "=", given("task")))
      .$if(open, (some) => some.where("completed_at", "is", null))
      .where("id", ">", given("after"))
      .orderBy("id")
      .limit(given("limit")),
  );
}

const LISTS = {
  all: listOf({ ofTask: false, open: false }),
  open: listOf({ ofTask: false, open: true }),
  ofTask: listOf({ ofTask: true, open: false }),
  openOfTask: listOf({ ofTask: true, open: true }),
};
