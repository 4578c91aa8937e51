import { describe, expect, test } from "vitest";
import { statusAfterPartialOrStuck } from "../../../src/projections/board/settlement.ts";
import { waitingStatus } from "../../../src/projections/board/status.ts";
import type { Task } from "../../../src/projections/board/tables.ts";
import { type GivenBoard, given, timeOf } from "./given.ts";
import {
  answered,
  aside,
  ask,
  attempted,
  blocked,
  blockerDismissed,
  blockerReopened,
  created,
  done,
  ended,
  gated,
  inSession,
  missing,
  partial,
  reopened,
  set,
  started,
  stuckLimit,
} from "./history.ts";

const running = [created(1), started()];

describe("every change of a status is recorded", () => {
  test("with its rule, its causes in order, its session and its time", async () => {
    const board = await given(...running, ask(), ask(), partial(), ended());
    expect(board.statusChanges.where({ task_id: 1 })).toEqual([
      {
        position: 1,
        ordinal: 1,
        task_id: 1,
        from_status: null,
        to_status: "pending",
        rule: "created",
        causes: "[1]",
        session_id: null,
        created: timeOf(1),
      },
      {
        position: 2,
        ordinal: 1,
        task_id: 1,
        from_status: "pending",
        to_status: "in_progress",
        rule: "sessions: start",
        causes: "[2]",
        session_id: "s-1",
        created: timeOf(2),
      },
      {
        position: 6,
        ordinal: 1,
        task_id: 1,
        from_status: "in_progress",
        to_status: "needs_input",
        rule: "settlement 7b",
        causes: "[3,4,5,6]",
        session_id: "s-1",
        created: timeOf(6),
      },
    ]);
    expect(board.tasks.get(1)?.updated).toBe(timeOf(6));
  });

  test("with causes in the order of numbers, not of digits", async () => {
    const asides = Array.from({ length: 6 }, () => aside());
    const board = await given(...running, ...asides, ask(), ask(), partial(), ended());
    expect(board.changesOf(1).at(-1)).toBe("in_progress → needs_input, settlement 7b, [9,10,11,12]");
  });

  test("once for each task, where one event changes several", async () => {
    const board = await given(created(1), created(2), created(3), ...inSession(blocked("#3"), partial()));
    await board.add(started("s-2", 2), blocked("#3", { task: 2, session: "s-2" }), ended("exited", "s-2"));
    await board.add(set(3, "done"));
    const changes = board.statusChanges.where({ position: 11 });
    expect(
      changes.map(({ ordinal, task_id, to_status, rule }) => [ordinal, task_id, to_status, rule]),
    ).toEqual([
      [1, 3, "done", "humans: set a status"],
      [2, 1, "pending", "settlement 7d"],
      [3, 2, "pending", "settlement 7d"],
    ]);
  });

  test("but not where the status stays as it was", async () => {
    const board = await given(created(1), set(1, "pending"));
    expect(board.changesOf(1)).toEqual(["null → pending, created, [1]"]);
    expect(board.tasks.get(1)?.updated).toBe(timeOf(1));
  });

  test("and the tasks of each status are counted", async () => {
    const board = await given(created(1), created(2), created(3), ...inSession(set(2, "done"), done()));
    const counts = board.taskCounts.scan().map(({ status, tasks }) => [status, tasks]);
    expect(Object.fromEntries(counts)).toEqual({ pending: 1, in_progress: 0, done: 2 });
  });

  test("and only a task that is done has a time at which it was completed", async () => {
    const board = await given(created(1), set(1, "done"));
    expect(board.tasks.get(1)?.completed_at).toBe(timeOf(2));
    await board.add(set(1, "skipped"));
    expect(board.tasks.get(1)?.completed_at).toBeNull();
  });
});

describe("what a task waits for", () => {
  const cases = [
    ["nothing", [], "pending", "settlement 7d"],
    ["an open blocker", [missing("Redis")], "blocked", "settlement 7c"],
    ["an open question", [missing("Redis"), ask()], "needs_input", "settlement 7b"],
    ["an escalated gate", [attempted(1)], "needs_input", "settlement 7b"],
    ["no question that is an aside", [aside()], "pending", "settlement 7d"],
    ["no gate that failed once", [attempted(1, { gate: 2 })], "pending", "settlement 7d"],
  ] as const;
  const gates = gated({ max: 1 }, { max: 2 });

  test.each(cases)("%s, foretold while the session runs", async (_what, events, status, rule) => {
    const board = await given(created(1, gates), started(), ...events);
    expect(statusAfterPartialOrStuck(board, taskOf(board), true)).toMatchObject({ status, reason: { rule } });
    expect(waitingStatus(board, taskOf(board), true)).toMatchObject({ status, reason: { rule } });
  });

  test.each(cases)(
    "%s, foretold of what an earlier session left open",
    async (_what, events, status, rule) => {
      const board = await given(created(1, gates), started(), ...events, partial(), ended(), started("s-2"));
      expect(waitingStatus(board, taskOf(board), true)).toMatchObject({ status, reason: { rule } });
    },
  );

  test("is not what a running session has raised, unless it is foretold", async () => {
    const board = await given(...running, ask(), missing("Redis"));
    expect(waitingStatus(board, taskOf(board))).toEqual({
      status: "pending",
      reason: { rule: "settlement 7d" },
    });
    expect(statusAfterPartialOrStuck(board, taskOf(board)).status).toBe("pending");
  });

  test("is not what another task waits for", async () => {
    const board = await given(created(2, gates), started("s-2", 2), attempted(1, { task: 2 }));
    await board.add(ask({ task: 2, session: "s-2" }), missing("Disk", { task: 2, session: "s-2" }));
    await board.add(created(1), started());
    for (const foretell of [true, false]) {
      expect(waitingStatus(board, taskOf(board), foretell).status).toBe("pending");
    }
    await board.add(ended("exited", "s-2"));
    for (const foretell of [true, false]) {
      expect(waitingStatus(board, taskOf(board), foretell).status).toBe("pending");
    }
  });

  test("is named by its causes: attempts of gates, questions and blockers", async () => {
    const board = await given(
      created(1, gates),
      ...inSession(ask(), attempted(1), missing("Redis"), partial()),
    );
    expect(waitingStatus(board, taskOf(board)).reason.causes).toEqual([4, 3]);
    expect(waitingStatus(board, taskOf(board), true).reason.causes).toEqual([4, 3]);
    await board.add(
      set(1, "pending"),
      started("s-2"),
      missing("Disk", { session: "s-2" }),
      ended("exited", "s-2"),
    );
    expect(waitingStatus(board, taskOf(board)).reason.causes).toEqual([10]);
    expect(waitingStatus(board, taskOf(board), true).reason.causes).toEqual([10]);
  });

  test("is a failure where the stuck count has come to the limit", async () => {
    const board = await given(stuckLimit(1), created(1), ...inSession());
    expect(statusAfterPartialOrStuck(board, taskOf(board))).toEqual({
      status: "failed",
      reason: { rule: "settlement 7a", causes: [1] },
    });
  });

  test("is the human's acceptance, before all else", async () => {
    const board = await given(created(1, { accept: "human" }), ...inSession(aside(), done()), answered(3));
    expect(waitingStatus(board, taskOf(board))).toEqual({
      status: "needs_input",
      reason: { rule: "humans: accept" },
    });
    await board.add(reopened(3));
    expect(board.tasks.get(1)).toMatchObject({ status: "needs_input", awaiting_acceptance: 1 });
  });

  test.each([
    ["draft", "open"],
    ["failed", "open"],
    ["done", "informational"],
    ["skipped", "dismissed"],
  ] as const)("is not looked at while a task is %s, whose question is %s", async (status, state) => {
    const board = await given(...running, ask(), partial(), ended(), set(1, status));
    expect(board.questions.get(3)?.state).toBe(state);
    await board.add(answered(3));
    expect(board.tasks.get(1)?.status).toBe(status);
  });
});

describe("a blocker that is linked to a task resolves when that is done or skipped", () => {
  const linked = [created(1), created(2), ...inSession(blocked("task 2"), partial())];

  test.each(["done", "skipped"] as const)(
    "%s: the task is pending, and the dependency stays",
    async (status) => {
      const board = await given(...linked, set(2, status));
      expect(board.blockers.get(4)).toMatchObject({
        state: "resolved",
        state_without_act: null,
        contests: 0,
      });
      expect(board.tasks.get(1)).toMatchObject({
        status: "pending",
        depends_on: "[2]",
        open_dependencies: 0,
      });
      expect(board.changesOf(1).at(-1)).toBe("blocked → pending, settlement 7d, [4,7]");
    },
  );

  test.each(["failed", "draft", "needs_input"] as const)("%s: nothing happens", async (status) => {
    const board = await given(...linked, set(2, status));
    expect(board.blockers.get(4)).toMatchObject({ state: "open" });
    expect(board.tasks.get(1)).toMatchObject({ status: "blocked", open_dependencies: 1 });
  });

  test("the task waits on where it has another blocker", async () => {
    const board = await given(
      created(1),
      created(2),
      ...inSession(blocked("#2"), missing("Redis"), partial()),
    );
    await board.add(set(2, "done"));
    expect(board.tasks.get(1)?.status).toBe("blocked");
    expect(board.blockers.scan().map(({ state }) => state)).toEqual(["resolved", "open"]);
  });

  test("behind a human's act, so that nothing blocks when the act is taken back", async () => {
    const board = await given(...linked, blockerDismissed(4), set(2, "done"));
    expect(board.blockers.get(4)).toMatchObject({ state: "dismissed", state_without_act: "resolved" });
    await board.add(blockerReopened(4));
    expect(board.blockers.get(4)).toMatchObject({
      state: "resolved",
      state_without_act: null,
      acted_at: null,
    });
    expect(board.tasks.get(1)?.status).toBe("pending");
  });

  test("what is information stays information", async () => {
    const board = await given(...linked, set(1, "done"), set(2, "done"));
    expect(board.blockers.get(4)).toMatchObject({ state: "informational", state_without_act: null });
  });

  test("what a human acted on stays information behind the act", async () => {
    const board = await given(...linked, blockerDismissed(4), set(1, "done"), set(2, "done"));
    expect(board.blockers.get(4)).toMatchObject({ state: "dismissed", state_without_act: "informational" });
  });
});

function taskOf(board: GivenBoard): Task {
  const task = board.tasks.get(1);
  if (!task) throw new Error("There is no task 1.");
  return task;
}
