import { type Session, sessionStateRows, sessions } from "../board/tables.ts";
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

/** Sessions in the order of their ids, which is that of their starts where the driver did not name them. */
export function listSessions(
  readModel: ReadModel,
  filter: { task?: number | undefined; open?: boolean | undefined } = {},
): Session[] {
  return readModel
    .prepared<{ task: number | null; open: 0 | 1 }, Session>(
      `SELECT * FROM sessions
       WHERE (:task IS NULL OR task_id = :task) AND (:open = 0 OR completed_at IS NULL) ORDER BY id`,
    )
    .all({ task: filter.task ?? null, open: filter.open ? 1 : 0 });
}
