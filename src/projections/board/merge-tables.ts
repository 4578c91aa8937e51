import { defineTable, flag, integer, json, means, nullable, oneOf, type Row, text } from "../table.ts";

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
  description: "The last merge of each task whose branch was queued or offered for merging.",
  columns: {
    task_id: integer,
    state: oneOf(mergeStates),
    position: means(integer, "of the event that brought it to this state; the id of its item in the inbox"),
    branch: text,
    commit_id: means(text, "the last commit of the branch"),
    base: means(text, "the branch that it is merged into"),
    queued: means(nullable(integer), "the position at which it was queued, which orders the queue"),
    begun: means(nullable(integer), "the position at which its last run started"),
    driver: means(nullable(text), "the driver of its last run"),
    host: means(nullable(text), "where that ran; NULL if that was not recorded"),
    onto: means(nullable(text), "the commit of the base that its last run used"),
    result: means(nullable(text), "the merged commit, once its gates have passed"),
    files: means(json, "array of the paths that conflict"),
    commands: means(json, "array of the commands with which a human inspects and resolves it"),
    gate: means(nullable(integer), "the gate that failed on the merged result"),
    command: means(nullable(text), "the command of that gate"),
    output: means(nullable(text), "the output of the last gate that failed on the merged result"),
    folder: means(nullable(text), "where the base is checked out with the changes that it waits for"),
    reason: means(nullable(text), "why it waits or was withdrawn"),
    reopened: means(flag, "1 while an agent resolves it or is about to"),
    reopenings: means(integer, "how often the task was reopened for its merge since it last landed"),
    updated: text,
  },
  key: ["task_id"],
  lookups: { by_state: ["state", "queued"] },
});
export type MergeRow = Row<typeof mergesTable>;

export const landingsTable = defineTable("landings", {
  description: "Every merge that landed.",
  columns: {
    position: integer,
    task_id: integer,
    base: text,
    commit_id: means(text, "the last commit of the task's branch before it was rebased"),
    from_commit: means(text, "the base's commit before"),
    to_commit: means(text, "the base's commit after"),
    created: text,
  },
  key: ["position"],
  lookups: { by_task: ["task_id", "position"] },
});
