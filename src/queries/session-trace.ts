import { sessionStateRows } from "../projections/board/session-tables.ts";
import { signalsTable } from "../projections/board/signals-table.ts";
import type { Session } from "../projections/board/tables.ts";
import type { GateRunRow } from "../projections/gate-runs.ts";
import type { Row } from "../projections/table.ts";
import { question } from "../read-model/question.ts";
import type { ReadView } from "../read-model/read-view.ts";
import { findSession } from "./find-sessions.ts";

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
export function sessionTrace(readModel: ReadView, id: string): SessionTrace | undefined {
  const session = findSession(readModel, id);
  if (!session || session.completed_at === null) return undefined;
  const rows = readModel.rowsOf({ states: sessionStateRows, signals: signalsTable });
  return {
    session: { ...session, completed_at: session.completed_at },
    task: readModel.get(TASK, { task: session.task_id }) ?? null,
    agent: readModel.get(AGENT, { session: id }) ?? null,
    states: rows.states.where({ session_id: id }),
    signals: rows.signals.where({ session_id: id }),
    gateRuns: readModel.all(GATE_RUNS, { task: session.task_id, session: id }),
  };
}

/** The ids of sessions that ended, at or after a time of the tables if one is given, in the order of their ends. */
export function endedSessions(readModel: ReadView, since = ""): string[] {
  return readModel.all(ENDED, { since }).map(({ id }) => id);
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

const TASK = question<{ task: number }>()((tables, given) =>
  tables.selectFrom("tasks").select(["title", "feature", "discipline"]).where("id", "=", given("task")),
);
const AGENT = question<{ session: string }>()((tables, given) =>
  tables
    .selectFrom("agents")
    .select(["agent", "model", "turns", "input_tokens", "output_tokens", "cost_micro_usd"])
    .where("session_id", "=", given("session")),
);
/** The task is there for the index. */
const GATE_RUNS = question<{ task: number; session: string }>()((tables, given) =>
  tables
    .selectFrom("gate_runs")
    .select(["id", "gate", "kind", "state", "exit_code", "signal", "timed_out", "duration_ms", "started_at"])
    .select("completed_at")
    .$narrowType<{ completed_at: string }>()
    .where("task_id", "=", given("task"))
    .where("session_id", "=", given("session"))
    .where("completed_at", "is not", null)
    .orderBy("id"),
);
const ENDED = question<{ since: string }>()((tables, given) =>
  tables
    .selectFrom("sessions")
    .select("id")
    .where("completed_at", "is not", null)
    .where("completed_at", ">=", given("since"))
    .orderBy("ended_position"),
);
