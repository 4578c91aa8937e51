import type { RawBuilder } from "kysely";
import { commandResult } from "../events/types/command-result.ts";
import { gateStarted } from "../events/types/gate-runs.ts";
import { type GateRunRow, gateRunsTable } from "../projections/gate-runs.ts";
import { parseColumn } from "../projections/parse-column.ts";
import { question, type RowOf, type Tables, valuesIn } from "../read-model/question.ts";
import type { ReadView } from "../read-model/read-view.ts";

/** A run of a gate's command as users see it: the columns of the table, what is JSON there as values. */
export interface GateRunView extends Omit<GateRunRow, "left_behind" | "runner"> {
  readonly left_behind: ReturnType<typeof leftBehindIn>;
  readonly runner: ReturnType<typeof runnerIn> | null;
  /** Whether the workspace's files changed while it ran; null where that is not known. */
  readonly workspace_changed: boolean | null;
  /** The run of the gate that had failed on the same files, where this one passed. */
  readonly failed_before: number | null;
}

/** The runs of a task's gates, or of one of them, attempts and baselines, in their order. Those of deleted tasks are there too. */
export function listGateRuns(
  readModel: ReadView,
  { task, gate }: { readonly task: number; readonly gate?: number | undefined },
): GateRunView[] {
  const steps = new Map(unsteadyRuns(readModel, task).map(({ passed, failed }) => [passed, failed]));
  return runsOf(readModel)
    .where({ task_id: task, ...(gate !== undefined && { gate }) })
    .map((run) => ({ ...viewRun(run), failed_before: steps.get(run.id) ?? null }));
}

/** The attempts at a task's gates that passed on the very files on which an earlier one, the last such, had failed; in their order. */
export function unsteadyRuns(readModel: ReadView, task: number): RowOf<typeof UNSTEADY>[] {
  return readModel.all(UNSTEADY, { task });
}

/** How a run of a gate went, without its output. */
export type GateRunHead = RowOf<typeof HEADS>;

/** The runs with these ids, by id. */
export function gateRunHeads(readModel: ReadView, ids: readonly number[]): ReadonlyMap<number, GateRunHead> {
  if (ids.length === 0) return new Map();
  const rows = readModel.all(HEADS, { ids: JSON.stringify(ids) });
  return new Map(rows.map((row) => [row.id, row]));
}

/** The runs in the course of a session, in the order of their starts; at most the last so many. */
export function gateRunsOfSession(
  readModel: ReadView,
  { task, session, limit }: { readonly task: number; readonly session: string; readonly limit: number },
): GateRunHead[] {
  return readModel.all(OF_SESSION, { task, session, limit }).reverse();
}

/** What a run printed; undefined where there is no such run. */
export function gateRunOutput(
  readModel: ReadView,
  id: number,
): Pick<GateRunRow, "stdout" | "stderr"> | undefined {
  return readModel.get(OUTPUT, { id });
}

const HEADS = question<{ ids: string }>()((tables, given) =>
  headsOf(tables).where("r.id", "in", valuesIn<number>(given("ids"))),
);
const OF_SESSION = question<{ task: number; session: string; limit: number }>()((tables, given) =>
  runsInSessions(tables, given("task"))
    .where("s.id", "=", given("session"))
    .orderBy("r.id", "desc")
    .limit(given("limit")),
);
const OUTPUT = question<{ id: number }>()((tables, given) =>
  tables.selectFrom("gate_runs").select(["stdout", "stderr"]).where("id", "=", given("id")),
);

const UNSTEADY = question<{ task: number }>()((tables, given) =>
  tables
    .selectFrom("gate_runs as p")
    .innerJoin("gate_runs as f", (on) =>
      on
        .onRef("f.task_id", "=", "p.task_id")
        .onRef("f.gate", "=", "p.gate")
        .onRef("f.workspace_before", "=", "p.workspace_before")
        .onRef("f.id", "<", "p.id"),
    )
    .select(({ fn }) => ["p.gate", "p.id as passed", fn.max("f.id").as("failed")])
    .where("p.task_id", "=", given("task"))
    .where("p.kind", "=", "attempt")
    .where("p.state", "=", "passed")
    .where("f.kind", "=", "attempt")
    .where("f.state", "=", "failed")
    .groupBy(["p.id", "p.gate"])
    .orderBy("p.id"),
);

/**
 * The runs of a task's gates with the sessions `s` in whose course they were: a run outside signalbox
 * does not name its session.
 */
export function runsInSessions(tables: Tables, task: RawBuilder<number>) {
  return headsOf(tables)
    .innerJoin("sessions as s", "s.task_id", "r.task_id")
    .where("r.task_id", "=", task)
    .where(({ and, eb, or, ref }) =>
      or([
        eb("r.session_id", "=", ref("s.id")),
        and([
          eb("r.session_id", "is", null),
          eb("r.id", ">", ref("s.started_position")),
          or([eb("s.ended_position", "is", null), eb("r.id", "<", ref("s.ended_position"))]),
        ]),
      ]),
    );
}

/** What is known of runs but their output, as `r`. */
function headsOf(tables: Tables) {
  return tables
    .selectFrom("gate_runs as r")
    .select(["r.id", "r.gate", "r.kind", "r.command", "r.state", "r.exit_code", "r.signal", "r.timed_out"])
    .select(["r.duration_ms", "r.explanation", "r.ended_position", "r.started_at"]);
}

/** The runs of gates whose end is not recorded, in their order. */
export function openGateRuns(readModel: ReadView): GateRunRow[] {
  return runsOf(readModel).where({ state: "running" });
}

/** The attempts at a gate, or its baselines, in their order. */
export function gateRunsOf(
  readModel: ReadView,
  of: { readonly task: number; readonly gate: number },
  kind: GateRunRow["kind"] = "attempt",
): GateRunRow[] {
  return runsOf(readModel).where({ task_id: of.task, gate: of.gate, kind });
}

function runsOf(readModel: ReadView) {
  return readModel.rowsOf({ runs: gateRunsTable }).runs;
}

function viewRun({ left_behind, runner, ...run }: GateRunRow): Omit<GateRunView, "failed_before"> {
  const { workspace_before: before, workspace_after: after } = run;
  return {
    ...run,
    left_behind: leftBehindIn(left_behind),
    runner: runner === null ? null : runnerIn(runner),
    workspace_changed: before === null || after === null ? null : before !== after,
  };
}

function leftBehindIn(text: string) {
  return commandResult.shape.left_behind.parse(parseColumn(text));
}

/** A completed baseline of a command on a commit, of whatever task; it is that whose output is kept. */
export function baselineOn(
  readModel: ReadView,
  of: { readonly base: string; readonly command: string },
): RowOf<typeof ON_BASE> | undefined {
  return readModel.get(ON_BASE, of);
}

const ON_BASE = question<{ base: string; command: string }>()((tables, given) =>
  tables
    .selectFrom("gate_runs")
    .select(["id", "exit_code", "signal", "explanation"])
    .where("base", "=", given("base"))
    .where("command", "=", given("command"))
    .where("kind", "=", "baseline")
    .where("state", "in", ["passed", "failed"])
    .where("timed_out", "=", 0)
    .where("repeats", "is", null)
    .orderBy("id", "desc")
    .limit(1),
);

/** Who runs it, from the column `runner`. */
export function runnerIn(text: string) {
  return gateStarted.payload.shape.runner.parse(parseColumn(text));
}
