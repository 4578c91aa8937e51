import { type Session, sessionStateRows, sessions, type Task } from "./board/tables.ts";
import type { ReadModel } from "./read-model.ts";

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

/** The tasks that could be started now, the next one first (rules.md, Task statuses). */
export function readyTasks({ database }: ReadModel, limit = -1): Task[] {
  return database.prepare<[number], Task>("SELECT * FROM ready_tasks LIMIT ?").all(limit);
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
      states: rows.states.where("session_id = ?", id).map(({ state }) => state),
      irregular: session.irregular,
      signals: session.signals,
      late: session.late,
    }
  );
}
