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
