import type { PartOf } from "../../page.ts";
import { sessionStateRows, sessions } from "../board/session-tables.ts";
import type { Session } from "../board/tables.ts";
import type { ReadModel } from "../read-model.ts";

/** What a session came to. */
export interface SessionOutcome {
  readonly task: number;
  readonly closing: "done" | "partial" | "stuck" | null;
  readonly inferred: boolean;
  readonly outcome: Session["outcome"];
  readonly states: string[];
  readonly irregular: number;
  readonly signals: number;
  readonly late: number;
}

export function sessionOutcome(readModel: ReadModel, id: string): SessionOutcome | undefined {
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

export function findSession(readModel: ReadModel, id: string): Session | undefined {
  return readModel.rowsOf({ sessions }).sessions.get(id);
}

/** Which sessions a list is of, and which part of it. */
export interface SessionsOf extends PartOf<string> {
  readonly task?: number | undefined;
  readonly open?: boolean | undefined;
}

/** Sessions in the order of their ids, which is that of their starts where the driver did not name them. */
export function listSessions(readModel: ReadModel, filter: SessionsOf = {}): Session[] {
  const { task, open = false, after, limit = -1 } = filter;
  // Only what is asked for stands in the condition, so that an index can be used for it.
  const conditions = [
    ...(task === undefined ? [] : ["task_id = :task"]),
    ...(open ? ["completed_at IS NULL"] : []),
    ...(after === undefined ? [] : ["id > :after"]),
  ];
  const where = conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`;
  return readModel
    .prepared<object, Session>(`SELECT * FROM sessions ${where} ORDER BY id LIMIT :limit`)
    .all({ task, after, limit });
}
