import { consequences } from "../../events/types/policies.ts";
import { findingKinds } from "../../events/types/session-work.ts";
import { defineTable, integer, json, means, nullable, oneOf, text } from "../table.ts";

export const sessionWork = defineTable("session_work", {
  description: "What each session did to its repository, as its driver found it at its end.",
  columns: {
    session_id: text,
    task_id: means(nullable(integer), "NULL for a session without a task"),
    start: means(text, "the last commit when it began"),
    head: means(nullable(text), "the last commit when it ended; NULL: its workspace is gone"),
    base: means(nullable(text), "the base's last commit then; NULL without a worktree of the task's own"),
    fork: means(
      nullable(text),
      "what the task's branch and its base had in common when the work that is not merged yet began",
    ),
    commits: means(integer, "without those that came from the base"),
    fingerprint: means(
      nullable(text),
      "of its files at the end, as `gates.last_workspace` is one; NULL: its workspace is gone",
    ),
    files: means(integer, "that differ"),
    added: means(integer, "lines"),
    removed: means(integer, "lines"),
    outside: means(
      json,
      "array of the files of its task's unmerged work that are outside the `output_artifacts`",
    ),
    position: means(integer, "of its event"),
  },
  key: ["session_id"],
  indexes: { by_task: ["task_id", "position"] },
});

export const sessionFindings = defineTable("session_findings", {
  description: "What a session's driver found in its workspace that people should know.",
  columns: {
    session_id: text,
    nth: means(integer, "from 1"),
    task_id: means(nullable(integer), "NULL for a session without a task"),
    kind: oneOf(findingKinds),
    says: means(text, "what was found, and what mends it"),
    paths: means(json, "array of the files that it is about"),
    more: means(integer, "how many more there are"),
    refs: means(json, "array of stashes, branches and commits"),
    led_to: means(
      nullable(oneOf(consequences)),
      "what the policies said when its session had closed with done; NULL if it had not",
    ),
    position: means(integer, "of its event"),
  },
  key: ["session_id", "nth"],
  indexes: { by_task: ["task_id", "position"] },
});
