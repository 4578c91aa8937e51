import { sessionStateRows } from "../projections/board/session-tables.ts";
import { signalsTable } from "../projections/board/signals-table.ts";
import { type Session, tasks } from "../projections/board/tables.ts";
import { parseColumn } from "../projections/parse-column.ts";
import type { Row } from "../projections/table.ts";
import type { ReadView } from "../read-model/read-view.ts";
import { findSession } from "./find-sessions.ts";
import { type ProofOfDone, proofOfDone } from "./proof-of-done.ts";

/** A session with the states that it was in and what its agent signalled, both in log order. */
export interface SessionDetails extends Session {
  readonly state_history: readonly StateEntry[];
  readonly timeline: readonly SignalEntry[];
  /** What is known of its work, while it is its task's last one; null for one that another has followed. */
  readonly proof: ProofOfDone | null;
}

interface StateEntry extends Omit<Row<typeof sessionStateRows>, "session_id" | "metadata"> {
  /** As it was reported: files, test results, an error. */
  readonly metadata: unknown;
}

interface SignalEntry extends Pick<Row<typeof signalsTable>, "id" | "verb" | "body" | "created"> {
  /** The verb's arguments. */
  readonly payload: unknown;
}

export function sessionDetails(readModel: ReadView, id: string): SessionDetails | undefined {
  const session = findSession(readModel, id);
  if (!session) return undefined;
  const rows = readModel.rowsOf({ states: sessionStateRows, signals: signalsTable, tasks });
  const task = rows.tasks.get(session.task_id ?? 0);
  const isLast = task?.last_start === session.started_position;
  return {
    ...session,
    state_history: rows.states
      .where({ session_id: id })
      .map(({ session_id: _, metadata, ...state }) => ({ ...state, metadata: parseColumn(metadata) })),
    timeline: rows.signals
      .where({ session_id: id })
      .map(({ id: position, verb, payload, body, created }) => ({
        id: position,
        verb,
        payload: parseColumn(payload),
        body,
        created,
      })),
    proof: task && isLast ? proofOfDone(readModel, task) : null,
  };
}
