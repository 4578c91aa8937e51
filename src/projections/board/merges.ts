import { outputText, passes } from "../../events/types/command-result.ts";
import type { Event, EventType } from "../../events/types/index.ts";
import { taskIn } from "../../events/types/subject.ts";
import { toSqlTime } from "../../lib/time.ts";
import type { MergeRow, MergeState } from "./merge-tables.ts";
import type { Board } from "./tables.ts";

/** A merge in one of these states is an item of the inbox. */
export function isWaiting({ state }: Pick<MergeRow, "state">): boolean {
  return state === "proposed" || state === "conflicted" || state === "gate_failed" || state === "waiting";
}

/**
 * The merge queue: what each task's branch waits for, and what landed. A merge never changes a
 * status.
 */
export const mergeReducers = {
  "merge.proposed": (event, rows) => begin(rows, event, "proposed"),
  "merge.queued": (event, rows) => begin(rows, event, "queued"),
  "merge.begun": (event, rows) =>
    move(rows, event, "running", {
      branch: event.payload.branch,
      commit_id: event.payload.commit,
      base: event.payload.base,
      begun: event.position,
      driver: event.payload.driver,
      host: event.payload.host ?? null,
      folder: null,
      reason: null,
    }),
  "merge.gate_attempted": ({ payload }, rows) => {
    if (rows.merges.get(payload.task)?.begun !== payload.begun || passes(payload)) return;
    const output = outputText(payload.stderr) || outputText(payload.stdout);
    rows.merges.update(payload.task, { output });
  },
  "merge.ready": ({ payload: { task, begun, onto, to } }, rows) => {
    if (rows.merges.get(task)?.begun === begun) rows.merges.update(task, { onto, result: to });
  },
  "merge.conflicted": (event, rows) => {
    const { files, commands, onto } = event.payload;
    move(rows, event, "conflicted", {
      files: JSON.stringify(files),
      commands: JSON.stringify(commands),
      onto,
    });
  },
  "merge.gate_failed": (event, rows) => {
    const { gate, command, commands, onto } = event.payload;
    move(rows, event, "gate_failed", { gate, command, commands: JSON.stringify(commands), onto });
  },
  "merge.waits": (event, rows) => {
    const { folder = null, reason } = event.payload;
    move(rows, event, "waiting", { folder, reason });
  },
  "merge.landed": (event, rows) => {
    const { task, base, commit, from, to } = event.payload;
    move(rows, event, "landed", { result: to, onto: from, reopened: 0, reopenings: 0, reason: null });
    rows.landings.insert({
      position: event.position,
      task_id: task,
      base,
      commit_id: commit,
      from_commit: from,
      to_commit: to,
      created: toSqlTime(event.recordedAt),
    });
  },
  "merge.withdrawn": (event, rows) =>
    move(rows, event, "withdrawn", { reason: event.payload.reason, reopened: 0 }),
  "merge.reopened": (event, rows) => {
    const reopenings = (rows.merges.get(event.payload.task)?.reopenings ?? 0) + 1;
    const reason = "the task was taken up again for it";
    move(rows, event, "withdrawn", { reopened: 1, reopenings, reason });
  },
} satisfies Reducers;

type Reducers = { readonly [Type in EventType]?: (event: Event<Type>, board: Board) => void };

function begin(
  rows: Board,
  event: Event<"merge.proposed" | "merge.queued">,
  state: "proposed" | "queued",
): void {
  const { task: task_id, branch, commit: commit_id, base } = event.payload;
  const before = rows.merges.get(task_id);
  rows.merges.delete(task_id);
  rows.merges.insert({
    ...{ task_id, state, branch, commit_id, base },
    position: event.position,
    queued: state === "queued" ? event.position : null,
    files: "[]",
    commands: "[]",
    reopened: 0,
    reopenings: before?.reopenings ?? 0,
    updated: toSqlTime(event.recordedAt),
  });
}

function move(rows: Board, event: Event, state: MergeState, change: Partial<MergeRow>): void {
  const task = taskIn(event.payload);
  if (task === undefined) return;
  rows.merges.update(task, {
    ...change,
    state,
    position: event.position,
    updated: toSqlTime(event.recordedAt),
  });
}

/** A branch that is worked on again, or dropped, is not merged in its old state. */
export function withdrawMerge(
  rows: Board,
  event: Event<"session.started" | "task.status_set" | "task.deleted">,
  reason: string,
): void {
  const state = rows.merges.get(event.payload.task ?? 0)?.state;
  if (state === undefined || state === "landed" || state === "withdrawn") return;
  move(rows, event, "withdrawn", { reason, reopened: 0 });
}
