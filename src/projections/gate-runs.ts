import { outputText, passes } from "../events/types/command-result.ts";
import type { Event } from "../events/types/index.ts";
import { toSqlTime } from "../lib/time.ts";
import { defineProjection, type RowsOf } from "./projection.ts";
import { defineTable, flag, integer, json, means, nullable, oneOf, type Row, text, toFlag } from "./table.ts";

export const gateRunsTable = defineTable("gate_runs", {
  description: "Every run of a gate's command. Runs of deleted tasks stay, as history.",
  columns: {
    id: means(
      integer,
      "the position at which it started; for a run outside signalbox, the position of its record",
    ),
    task_id: integer,
    gate: integer,
    session_id: means(nullable(text), "the session during which it ran"),
    claim: means(nullable(integer), "the position of the done that it was to verify"),
    kind: means(
      oneOf(["attempt", "baseline", "proof"]),
      "baseline: before the work; proof: after a pass, without some of the work. Neither is an attempt",
    ),
    base: means(
      nullable(text),
      "the commit in a copy of which it ran; NULL: in the agent's folder, or not a baseline",
    ),
    repeats: means(nullable(integer), "the earlier run on this base whose result this is, with its output"),
    without: means(
      nullable(json),
      "of a proof: the `files` whose changes were taken out, and how many `more`",
    ),
    command: means(nullable(text), "as it was run; NULL where that was not recorded"),
    state: oneOf(["running", "passed", "failed", "interrupted"]),
    exit_code: means(nullable(integer), "NULL also if a signal ended it"),
    signal: nullable(text),
    timed_out: nullable(flag),
    duration_ms: nullable(integer),
    stdout: means(nullable(text), "head and tail"),
    stderr: means(nullable(text), "head and tail"),
    stdout_sha256: means(nullable(text), "of the whole output; NULL if it ran outside signalbox"),
    stderr_sha256: nullable(text),
    explanation: means(nullable(text), "explains its end, if that is not obvious"),
    isolation: nullable(text),
    left_behind: means(json, "array of the processes that were still running when the command had ended"),
    workspace_before: means(nullable(text), "the fingerprint of the workspace's files"),
    workspace_after: means(nullable(text), "the fingerprint of the workspace's files"),
    host: means(nullable(text), "where it runs; NULL if that was not recorded. See `hosts`"),
    runner: means(nullable(json), "the process that runs it; NULL if it ran outside signalbox"),
    ended_position: nullable(integer),
    started_at: means(nullable(text), "NULL if it ran outside signalbox"),
    completed_at: means(nullable(text), "NULL while it runs"),
  },
  key: ["id"],
  lookups: { by_gate: ["task_id", "gate", "kind"], by_state: ["state"] },
  indexes: { by_base: ["base"] },
});
export type GateRunRow = Row<typeof gateRunsTable>;

const tables = { runs: gateRunsTable };

/** Every run of a gate's command, from its start on, with its result. */
export const gateRuns = defineProjection({
  name: "gate_runs",
  version: 3,
  tables,
  on: {
    "gate.started": ({ payload, position, recordedAt }, rows) => {
      const { task, gate, session, claim, command, baseline, host, runner } = payload;
      rows.runs.insert({
        id: position,
        task_id: task,
        gate,
        session_id: session ?? null,
        claim: claim ?? null,
        kind: baseline ? "baseline" : "attempt",
        command,
        state: "running",
        left_behind: "[]",
        host: host ?? null,
        runner: JSON.stringify(runner),
        started_at: toSqlTime(recordedAt),
      });
    },
    "gate.attempted": (event, rows) => end(rows, event, "attempt"),
    "gate.baselined": (event, rows) => {
      const { started, base, repeats, without } = event.payload;
      end(rows, event, without ? "proof" : "baseline");
      rows.runs.update(started ?? event.position, {
        base: base ?? null,
        repeats: repeats ?? null,
        without: without ? JSON.stringify(without) : null,
      });
    },
  },
});

function end(
  rows: RowsOf<typeof tables>,
  { payload, position, recordedAt }: Event<"gate.attempted" | "gate.baselined">,
  kind: GateRunRow["kind"],
): void {
  const { task, gate, session, started, command, stdout, stderr, ...result } = payload;
  const id = started ?? position;
  if (!rows.runs.get(id)) {
    rows.runs.insert({
      ...{ id, task_id: task, gate, session_id: session ?? null, kind },
      ...{ command: command ?? null, state: "running", left_behind: "[]" },
    });
  }
  rows.runs.update(id, {
    state: result.interrupted ? "interrupted" : passes(result) ? "passed" : "failed",
    exit_code: result.exit_code,
    signal: result.signal,
    timed_out: toFlag(result.timed_out),
    duration_ms: result.duration_ms,
    stdout: outputText(stdout),
    stderr: outputText(stderr),
    stdout_sha256: stdout.sha256 ?? null,
    stderr_sha256: stderr.sha256 ?? null,
    explanation: result.explanation,
    isolation: result.isolation ?? null,
    left_behind: JSON.stringify(result.left_behind),
    workspace_before: result.workspace_before ?? null,
    workspace_after: result.workspace_after ?? null,
    ended_position: position,
    completed_at: toSqlTime(recordedAt),
  });
}
