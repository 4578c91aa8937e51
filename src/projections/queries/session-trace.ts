import { sessionStateRows } from "../board/session-tables.ts";
import { signalsTable } from "../board/signal-rows.ts";
import type { Session } from "../board/tables.ts";
import type { GateRunRow } from "../gate-runs.ts";
import type { ReadModel } from "../read-model.ts";
import type { Row } from "../table.ts";
import { findSession } from "./sessions.ts";

/** A session that has ended, with all that a trace of it tells. Times are those of the tables. */
export interface SessionTrace {
  readonly session: Session & { readonly completed_at: string };
  /** Null where it was deleted. */
  readonly task: TracedTask | null;
  /** Null where no driver ran its agent. */
  readonly agent: TracedAgent | null;
  readonly states: readonly Row<typeof sessionStateRows>[];
  readonly signals: readonly Row<typeof signalsTable>[];
  /** Those that have ended, in the order of their starts. */
  readonly gateRuns: readonly TracedGateRun[];
}

/** @returns undefined where there is no such session, or it is open */
export function sessionTrace(readModel: ReadModel, id: string): SessionTrace | undefined {
  const session = findSession(readModel, id);
  if (!session || session.completed_at === null) return undefined;
  const rows = readModel.rowsOf({ states: sessionStateRows, signals: signalsTable });
  return {
    session: { ...session, completed_at: session.completed_at },
    task: readModel.prepared<[number], TracedTask>(TASK).get(session.task_id) ?? null,
    agent: readModel.prepared<[string], TracedAgent>(AGENT).get(id) ?? null,
    states: rows.states.where({ session_id: id }),
    signals: rows.signals.where({ session_id: id }),
    gateRuns: readModel.prepared<[number, string], TracedGateRun>(GATE_RUNS).all(session.task_id, id),
  };
}

/** The ids of sessions that ended, at or after a time of the tables if one is given, in the order of their ends. */
export function endedSessions(readModel: ReadModel, since = ""): string[] {
  return readModel
    .prepared<[string], { id: string }>(ENDED)
    .all(since)
    .map(({ id }) => id);
}

interface TracedTask {
  readonly title: string;
  readonly feature: string;
  readonly discipline: string;
}

interface TracedAgent {
  readonly agent: string | null;
  readonly model: string | null;
  readonly turns: number | null;
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
  readonly cost_micro_usd: number | null;
}

interface TracedGateRun
  extends Pick<
    GateRunRow,
    "id" | "gate" | "kind" | "state" | "exit_code" | "signal" | "timed_out" | "duration_ms" | "started_at"
  > {
  readonly completed_at: string;
}

const TASK = "SELECT title, feature, discipline FROM tasks WHERE id = ?";
const AGENT = `SELECT agent, model, turns, input_tokens, output_tokens, cost_micro_usd
  FROM agents WHERE session_id = ?`;
/** The task is there for the index. */
const GATE_RUNS = `SELECT id, gate, kind, state, exit_code, signal, timed_out, duration_ms, started_at, completed_at
  FROM gate_runs WHERE task_id = ? AND session_id = ? AND completed_at IS NOT NULL ORDER BY id`;
const ENDED = `SELECT id FROM sessions WHERE completed_at IS NOT NULL AND completed_at >= ?
  ORDER BY ended_position`;
