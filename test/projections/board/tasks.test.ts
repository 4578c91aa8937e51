import { describe, expect, test } from "vitest";
import { expectNothingFrom, given, timeOf } from "./given.ts";
import { blocked, changed, created, ended, gated, inSession, partial, started, suggest } from "./history.ts";

describe("a task that is created", () => {
  test("has a row of its own, and one for each gate", async () => {
    const board = await given(
      created(3, {
        title: "  Größe zeigen",
        description: "Meters.",
        priority: "critical",
        accept: "human",
        criteria: ["No feet."],
        context_files: ["src/size.ts"],
        tags: ["units"],
        output_artifacts: ["docs/size.md"],
        hints: "See the norm.",
        estimated_turns: 5,
        ...gated({ command: "npm test", max: 2 }, { command: "lint" }),
      }),
    );
    expect(board.tasks.get(3)).toEqual({
      id: 3,
      title: "  Größe zeigen",
      title_folded: "größe zeigen",
      title_prefix: "größe zeigen",
      description: "Meters.",
      status: "pending",
      status_since: 1,
      priority: "critical",
      priority_rank: 0,
      feature: "reports",
      discipline: "backend",
      origin: "human",
      depends_on: "[]",
      open_dependencies: 0,
      unapproved_gates: 0,
      accept: "human",
      criteria: '["No feet."]',
      context_files: '["src/size.ts"]',
      tags: '["units"]',
      output_artifacts: '["docs/size.md"]',
      hints: "See the norm.",
      pseudocode: null,
      estimated_turns: 5,
      agent_words: 0,
      reopened_for_merge: 0,
      awaiting_acceptance: 0,
      stuck_count: 0,
      sessions: 0,
      inferred_stucks: 0,
      failed_gate_attempts: 0,
      partials_in_a_row: 0,
      no_progress_in_a_row: 0,
      partial_closings_in_a_row: 0,
      stalled_at: 0,
      stalled_by: null,
      unchanged_in_a_row: 0,
      cancelled_in_a_row: 0,
      held_at: 0,
      open_session: null,
      last_start: 0,
      unverified_done: 0,
      remaining: null,
      suggestion: null,
      created: timeOf(1),
      updated: timeOf(1),
      completed_at: null,
    });
    const gate = { task_id: 3, timeout_s: 300, state: "pending", attempts: 0 };
    const unused = {
      declared: 1,
      approval: "unneeded",
      approval_position: null,
      before: null,
      before_position: null,
      without: null,
      without_files: null,
      without_position: null,
      last_started: null,
      last_exit_code: null,
      last_signal: null,
      last_interrupted: null,
      last_explanation: null,
      last_workspace: null,
      left_workspace: null,
      last_timed_out: null,
      last_stdout: null,
      last_stderr: null,
      last_position: null,
      last_action: null,
    };
    expect(board.gates.scan()).toEqual([
      { ...gate, ...unused, gate: 1, command: "npm test", max_attempts: 2 },
      { ...gate, ...unused, gate: 2, command: "lint", max_attempts: 5 },
    ]);
  });

  test("without criteria and files has empty lists of them", async () => {
    const board = await given(created(1));
    expect(board.tasks.get(1)).toMatchObject({ criteria: "[]", context_files: "[]" });
  });

  test("is completed at once where it is created as done, and not where it is skipped", async () => {
    const board = await given(created(1, { status: "done" }), created(2, { status: "skipped" }));
    expect(board.tasks.scan().map(({ completed_at }) => completed_at)).toEqual([timeOf(1), null]);
  });

  test.each([
    ["critical", 0],
    ["high", 1],
    ["medium", 2],
    ["low", 3],
  ] as const)("of priority %s has rank %i", async (priority, priority_rank) => {
    expect((await given(created(1, { priority }))).tasks.get(1)).toMatchObject({ priority, priority_rank });
  });

  test("twice is what it was the first time", async () => {
    await expectNothingFrom([created(1)], created(1, { title: "Other", ...gated({}) }));
  });

  test("gives an id that is never used again: drafts are counted on from the highest", async () => {
    const board = await given(
      created(7),
      created(1),
      created(3),
      ...inSession(suggest("Cache"), suggest("Log")),
    );
    expect(board.tasks.scan().map(({ id }) => id)).toEqual([1, 3, 7, 8, 9]);
    expect(board.taskIds.scan()).toEqual([{ id: 1, last_id: 9 }]);
  });
});

describe("a task that is changed", () => {
  test("keeps what is not named", async () => {
    const board = await given(created(1, { criteria: ["Fast."] }), created(2));
    const before = board.tasks.get(1);
    await board.add(changed(1, {}));
    expect(board.tasks.get(1)).toEqual({ ...before, updated: timeOf(3) });
    expect(board.tasks.get(2)?.updated).toBe(timeOf(2));
  });

  test("has every field that is named", async () => {
    const board = await given(created(1), created(2));
    const fields = { description: "New.", feature: "core", discipline: "frontend", accept: "human" } as const;
    await board.add(changed(1, { ...fields, title: "ÜBER uns", priority: "low", depends_on: [2] }));
    await board.add(changed(1, { criteria: ["Fast."], context_files: ["a.ts"] }));
    expect(board.tasks.get(1)).toMatchObject({
      ...fields,
      title: "ÜBER uns",
      title_folded: "über uns",
      title_prefix: "über uns",
      priority: "low",
      priority_rank: 3,
      depends_on: "[2]",
      open_dependencies: 1,
      criteria: '["Fast."]',
      context_files: '["a.ts"]',
    });
  });

  test("is found by its new title, and not by the old one", async () => {
    const board = await given(created(1), created(2), changed(2, { title: "Sign in" }), started());
    await board.add(blocked("Login"), blocked("sign in"), partial(), ended());
    expect(board.blockers.scan().map(({ depends_on }) => depends_on)).toEqual([null, 2]);
  });

  test("changes nothing where there is no such task", async () => {
    await expectNothingFrom([created(1)], changed(9, { title: "Other", priority: "low" }));
  });
});
