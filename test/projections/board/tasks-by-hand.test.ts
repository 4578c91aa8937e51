import { describe, expect, test } from "vitest";
import { expectNothingFrom, given } from "./given.ts";
import {
  answered,
  approved,
  ask,
  attempted,
  blocked,
  blockerReopened,
  blockerResolved,
  created,
  done,
  ended,
  gateActed,
  gated,
  inSession,
  missing,
  partial,
  reopened,
  set,
  started,
  suggest,
  suggestionReopened,
} from "./history.ts";

const proposed = [created(1), ...inSession(suggest("Cache"))];

describe("a status that is set by hand", () => {
  test.each([
    "draft",
    "pending",
    "in_progress",
    "needs_input",
    "blocked",
    "done",
    "failed",
    "skipped",
  ] as const)("may be %s", async (status) => {
    const board = await given(
      created(1),
      created(2, { status: "failed" }),
      set(1, "blocked"),
      set(1, status),
    );
    expect(board.tasks.get(1)?.status).toBe(status);
    expect(board.tasks.get(2)?.status).toBe("failed");
    expect(board.changesOf(1)).toContain("pending → blocked, humans: set a status, [3]");
  });

  test("is not taken while a session of the task is open, nor for a task that is not there", async () => {
    await expectNothingFrom([created(1), started()], set(1, "done"), set(1, "pending"), set(9, "done"));
  });

  const heldUp = [
    created(1, gated({ max: 1 }, { max: 1 }, { max: 2 })),
    created(2),
    ...inSession(
      attempted(1),
      attempted(1, { gate: 2 }),
      gateActed("abort", 2),
      attempted(1, { gate: 3 }),
      ask(),
      blocked("task 2"),
      missing("Disk"),
    ),
  ];

  test.each(["pending", "skipped"] as const)(
    "%s: nothing of the past holds the task up any more",
    async (status) => {
      const board = await given(...heldUp);
      expect(board.tasks.get(1)).toMatchObject({ status: "failed", stuck_count: 1, depends_on: "[2]" });
      await board.add(set(1, status));
      expect(board.tasks.get(1)).toMatchObject({ status, stuck_count: 0, depends_on: "[]" });
      expect(board.questions.scan()).toMatchObject([
        { state: "dismissed", state_without_act: "open", answer: null, acted_at: 12 },
      ]);
      expect(board.blockers.scan()).toMatchObject([
        { state: "dismissed", state_without_act: "open", acted_at: 12 },
        { state: "dismissed", state_without_act: "open", acted_at: 12 },
      ]);
      expect(board.gates.scan().map(({ state, attempts }) => [state, attempts])).toEqual([
        ["pending", 0],
        ["pending", 0],
        ["failed", 1],
      ]);
    },
  );

  test.each(["draft", "needs_input", "blocked", "failed", "in_progress"] as const)(
    "%s: what holds the task up stays",
    async (status) => {
      const board = await given(...heldUp, set(1, status));
      expect(board.tasks.get(1)).toMatchObject({ status, stuck_count: 1, depends_on: "[2]" });
      expect(board.questions.get(8)?.state).toBe("open");
      expect(board.blockers.scan().map(({ state }) => state)).toEqual(["open", "open"]);
      expect(board.gates.scan().map(({ state }) => state)).toEqual(["escalated", "aborted", "failed"]);
    },
  );

  test("done: as after a session's done, with the gates as they are", async () => {
    const board = await given(...heldUp, set(1, "done"));
    expect(board.tasks.get(1)).toMatchObject({ status: "done", stuck_count: 0, depends_on: "[]" });
    expect(board.questions.get(8)?.state).toBe("informational");
    expect(board.blockers.scan().map(({ state }) => state)).toEqual(["informational", "informational"]);
    expect(board.gates.scan().map(({ state }) => state)).toEqual(["escalated", "aborted", "failed"]);
  });

  test("pending: what other tasks have stays as it is, and so does an own gate like one of theirs", async () => {
    const from = { task: 2, session: "s-2" };
    const board = await given(
      created(1, gated({})),
      created(2, gated({ max: 1 })),
      attempted(1),
      started("s-2", 2),
    );
    await board.add(
      ask(from),
      missing("Disk", from),
      ask(from),
      missing("Redis", from),
      attempted(1, { task: 2 }),
    );
    await board.add(
      ended("exited", "s-2"),
      answered(7),
      blockerResolved(8),
      set(1, "skipped"),
      set(1, "pending"),
    );
    expect(board.questions.scan().map((row) => [row.state, row.state_without_act])).toEqual([
      ["open", null],
      ["answered", "open"],
    ]);
    expect(board.blockers.scan().map((row) => [row.state, row.state_without_act])).toEqual([
      ["open", null],
      ["resolved", "open"],
    ]);
    expect(board.gates.scan().map(({ state, attempts }) => [state, attempts])).toEqual([
      ["failed", 1],
      ["escalated", 1],
    ]);
  });

  test("pending: what a human acted on before holds nothing up when that act is taken back", async () => {
    const board = await given(created(1), ...inSession(ask(), missing("Disk"), partial()));
    await board.add(answered(3), blockerResolved(4), set(1, "pending"));
    expect(board.questions.get(3)).toMatchObject({
      state: "answered",
      state_without_act: "dismissed",
      acted_at: 7,
    });
    expect(board.blockers.get(4)).toMatchObject({
      state: "resolved",
      state_without_act: "dismissed",
      acted_at: 8,
    });
    await board.add(reopened(3), blockerReopened(4));
    expect(board.questions.get(3)?.state).toBe("dismissed");
    expect(board.blockers.get(4)?.state).toBe("dismissed");
    expect(board.tasks.get(1)?.status).toBe("pending");
  });

  test("pending: a dismissal in passing can be taken back like any other", async () => {
    const board = await given(...heldUp, set(1, "pending"), blockerReopened(9));
    expect(board.tasks.get(1)).toMatchObject({ status: "blocked", depends_on: "[2]" });
    await board.add(reopened(8));
    expect(board.tasks.get(1)?.status).toBe("needs_input");
  });

  test.each(["pending", "done", "failed", "needs_input"] as const)(
    "%s: a done does not wait to be accepted any more",
    async (status) => {
      const board = await given(created(1, { accept: "human" }), ...inSession(done()));
      expect(board.tasks.get(1)?.awaiting_acceptance).toBe(1);
      await board.add(set(1, status));
      expect(board.tasks.get(1)).toMatchObject({ status, awaiting_acceptance: 0 });
    },
  );

  test.each([
    ["pending", "approved"],
    ["done", "approved"],
    ["failed", "approved"],
    ["skipped", "rejected"],
    ["draft", "proposed"],
  ] as const)("%s, of an agent's draft: %s", async (status, state) => {
    const board = await given(...proposed, set(2, status));
    const acted_at = state === "proposed" ? null : 5;
    expect(board.suggestions.get(3)).toMatchObject({ state, acted_at });
    expect(board.tasks.get(2)?.status).toBe(status);
  });

  test("decides only a task that is a draft", async () => {
    const board = await given(...proposed, started("s-2", 2, { forced: true }), ended("exited", "s-2"));
    await board.add(set(2, "skipped"));
    expect(board.suggestions.get(3)).toMatchObject({ state: "approved", acted_at: 5 });
  });

  test("decides nothing of a draft that a human made", async () => {
    const board = await given(...proposed, created(3, { status: "draft" }), set(3, "skipped"));
    expect(board.suggestions.get(3)?.state).toBe("proposed");
    expect(board.tasks.get(3)?.status).toBe("skipped");
  });

  test("does not decide again what is decided, unless that was taken back", async () => {
    const board = await given(...proposed, approved(3), set(2, "draft"), set(2, "skipped"));
    expect(board.suggestions.get(3)).toMatchObject({ state: "approved", acted_at: 5 });
    await board.add(set(2, "draft"), suggestionReopened(3), set(2, "skipped"));
    expect(board.suggestions.get(3)).toMatchObject({ state: "rejected", acted_at: 10 });
  });
});
