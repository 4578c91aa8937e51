import { describe, expect, test } from "vitest";
import { inShort, type TaskTrouble } from "../../src/queries/labels/in-short.ts";

const NONE: TaskTrouble = {
  status: "pending",
  set_by: null,
  gates: [],
  stuck: [],
  open_questions: 0,
  blockers: [],
  awaits_acceptance: false,
  stalled: null,
  held_after: 0,
  stuck_sessions: 0,
  failed_attempts: 0,
};
const gate = (
  state: "escalated" | "aborted" | "skipped",
  failures: readonly string[] = [],
  by = "human",
) => ({
  gate: 1,
  state,
  failures,
  by,
});

describe("a task's state in one sentence", () => {
  test.each<[string | null, Partial<TaskTrouble>]>([
    [
      "Failed: gate 1 exited 1 five times; a person aborted it",
      { status: "failed", gates: [gate("aborted", Array(5).fill("exited 1"))] },
    ],
    [
      "Failed: gate 1 failed twice, at last it timed out; Ada aborted it",
      { status: "failed", gates: [gate("aborted", ["timed out", "exited 1"], "Ada")] },
    ],
    [
      "Failed: stuck 3 times in a row: ended without a report, No network, No key",
      { status: "failed", stuck: [null, "No network", "No key"] },
    ],
    ["Failed: a person set the status", { status: "failed", set_by: "human", stuck: ["No key"] }],
    [
      "Needs input: 2 questions, gate 1 escalated",
      { status: "needs_input", open_questions: 2, gates: [gate("escalated", ["exited 1"])] },
    ],
    [
      "Needs input: the finished work waits for acceptance",
      { status: "needs_input", awaits_acceptance: true },
    ],
    [
      "Blocked: waits for #4, “API key for staging”",
      {
        status: "blocked",
        blockers: [
          { task: 4, on: "the export" },
          { task: null, on: "API key for staging" },
        ],
      },
    ],
    [
      "Done after 1 stuck session and 2 failed gate attempts: Ada skipped gate 1",
      { status: "done", stuck_sessions: 1, failed_attempts: 2, gates: [gate("skipped", [], "Ada")] },
    ],
    ["Done: Ada set the status", { status: "done", set_by: "Ada" }],
    ["Held: 3 sessions in a row were cancelled", { held_after: 3 }],
    [null, { status: "done" }],
    [null, {}],
  ])("%s", (words, trouble) => {
    expect(inShort({ ...NONE, ...trouble })).toBe(words);
  });
});
