import { toSqlTime } from "../../events/time.ts";
import { outputText, passes } from "../../events/types/command-result.ts";
import type { Event, EventType } from "../../events/types/index.ts";
import { taskIn } from "../../events/types/subject.ts";
import { defineTable, flag, integer, json, means, nullable, oneOf, type Row, text } from "../table.ts";
import type { Board } from "./tables.ts";

const mergeStates = [
  "proposed",
  "queued",
  "running",
  "conflicted",
  "gate_failed",
  "waiting",
  "landed",
  "withdrawn",
] as const;
export type MergeState = (typeof mergeStates)[number];

export const mergesTable = defineTable("merges", {
  description: "The last merge of each task whose branch was to be merged.",
  columns: {
    task_id: integer,
    state: oneOf(mergeStates),
    position: means(integer, "of the event that brought it to this state; the id of its item in the inbox"),
    branch: text,
    commit_id: means(text, "the last commit of the branch"),
    base: means(text, "the branch that it is merged into"),
    queued: means(nullable(integer), "where it was queued: the order of the queue"),
    begun: means(nullable(integer), "where its last run began"),
    driver: means(nullable(text), "that began its last run"),
    onto: means(nullable(text), "the commit of the base that its last run has met"),
    result: means(nullable(text), "the merged commit, from when its gates had passed"),
    files: means(json, "array of the paths that conflict"),
    commands: means(json, "array of the commands with which a human sees and resolves it"),
    gate: means(nullable(integer), "that failed on the merged result"),
    command: means(nullable(text), "of that gate"),
    output: means(nullable(text), "of the last gate that did not pass on the merged result"),
    folder: means(nullable(text), "where the base is checked out with changes that it waits for"),
    reason: means(nullable(text), "why it waits or was withdrawn"),
    reopened: means(flag, "1 while an agent is to bring the work together with the base, or does"),
    reopenings: means(integer, "how often the task was taken up again since it landed last"),
    updated: text,
  },
  key: ["task_id"],
  lookups: { by_state: ["state", "queued"] },
});
export type MergeRow = Row<typeof mergesTable>;

/** A merge in one of these states is an item of the inbox. */
export function isWaiting({ state }: Pick<MergeRow, "state">): boolean {
  return state === "proposed" || state === "conflicted" || state === "gate_failed" || state === "waiting";
}

export const landingsTable = defineTable("landings", {
  description: "Every merge that landed.",
  columns: {
    position: integer,
    task_id: integer,
    base: text,
    commit_id: means(text, "the last commit of the task's branch before it was rebased"),
    from_commit: means(text, "where the base was"),
    to_commit: means(text, "where the base is since then"),
    created: text,
  },
  key: ["position"],
  lookups: { by_task: ["task_id", "position"] },
});

/** The queue of merges: what each task's branch waits for, and what landed. A merge never changes a status. */
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

/** What is worked on again, or not at all, is not merged as it was. */
export function withdrawMerge(
  rows: Board,
  event: Event<"session.started" | "task.status_set" | "task.deleted">,
  reason: string,
): void {
  const { task } = event.payload;
  const state = rows.merges.get(task)?.state;
  if (state === undefined || state === "landed" || state === "withdrawn") return;
  move(rows, event, "withdrawn", { reason, reopened: 0 });
}
