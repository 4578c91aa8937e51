import { describe, expect, test } from "vitest";
import { given, timeOf } from "./given.ts";
import {
  answered,
  ask,
  blocked,
  blockerReopened,
  blockerResolved,
  created,
  done,
  ended,
  inSession,
  missing,
  partial,
  reopened,
  started,
  stuck,
} from "./history.ts";

const running = [created(1), started()];

describe("after a done", () => {
  test("the task's row is as new, but done", async () => {
    const board = await given(
      ...running,
      stuck(),
      ended(),
      started("s-2"),
      partial("Tests.", { session: "s-2" }),
    );
    await board.add(ended("exited", "s-2"));
    expect(board.tasks.get(1)).toMatchObject({ stuck_count: 1, remaining: "Tests.", completed_at: null });
    await board.add(started("s-3"), done({ session: "s-3" }), ended("exited", "s-3"));
    expect(board.tasks.get(1)).toMatchObject({
      status: "done",
      stuck_count: 0,
      remaining: null,
      sessions: 3,
      partials_in_a_row: 0,
      updated: timeOf(10),
      completed_at: timeOf(10),
    });
    expect(board.changesOf(1).at(-1)).toBe("in_progress → done, settlement 5, [9,10]");
    expect(board.statusChanges.get(10, 1)?.session_id).toBe("s-3");
  });

  test("what was asked and what blocked is information, of this session and of earlier ones", async () => {
    const board = await given(...running, ask(), missing("Redis"), partial(), ended());
    await board.add(started("s-2"), ask({ session: "s-2" }), missing("Disk", { session: "s-2" }));
    await board.add(done({ session: "s-2" }), ended("exited", "s-2"));
    expect(board.questions.scan().map(({ id, state }) => [id, state])).toEqual([
      [3, "informational"],
      [8, "informational"],
    ]);
    expect(board.blockers.scan().map(({ id, state }) => [id, state])).toEqual([
      [4, "informational"],
      [9, "informational"],
    ]);
  });

  test("what a human acted on is information, should the act be taken back", async () => {
    const board = await given(
      ...running,
      ask(),
      missing("Redis"),
      partial(),
      ended(),
      answered(3),
      blockerResolved(4),
    );
    await board.add(started("s-2"), ask({ session: "s-2" }), missing("Disk", { session: "s-2" }));
    await board.add(answered(10), blockerResolved(11), done({ session: "s-2" }), ended("exited", "s-2"));
    expect(board.questions.scan().map(({ state }) => state)).toEqual(["answered", "answered"]);
    expect(board.blockers.scan().map(({ state }) => state)).toEqual(["resolved", "resolved"]);
    await board.add(reopened(3), reopened(10), blockerReopened(4), blockerReopened(11));
    for (const table of [board.questions, board.blockers]) {
      expect(table.scan().map(({ state }) => state)).toEqual(["informational", "informational"]);
    }
    expect(board.tasks.get(1)?.status).toBe("done");
  });

  test("a dependency that only a blocker held is gone", async () => {
    const board = await given(
      created(1),
      created(2),
      ...inSession(blocked("task 2"), missing("Disk"), partial()),
    );
    expect(board.tasks.get(1)).toMatchObject({ depends_on: "[2]", open_dependencies: 1 });
    await board.add(started("s-2"), done({ session: "s-2" }), ended("exited", "s-2"));
    expect(board.tasks.get(1)).toMatchObject({ depends_on: "[]", open_dependencies: 0 });
    expect(board.dependencies.scan()).toEqual([]);
    expect(board.blockers.get(4)).toMatchObject({ state: "informational", depends_on: 2 });
  });

  test("a blocker of the session itself is linked to no task", async () => {
    const board = await given(created(1), created(2), ...inSession(blocked("task 2"), done()));
    expect(board.blockers.get(4)).toMatchObject({ state: "informational", depends_on: null });
    expect(board.tasks.get(1)).toMatchObject({ status: "done", depends_on: "[]" });
  });

  test("a task that a human is to accept waits for that", async () => {
    const board = await given(created(1, { accept: "human" }), ...inSession(ask(), done()));
    expect(board.tasks.get(1)).toMatchObject({
      status: "needs_input",
      awaiting_acceptance: 1,
      stuck_count: 0,
      completed_at: null,
    });
    expect(board.questions.get(3)?.state).toBe("informational");
    expect(board.changesOf(1).at(-1)).toBe("in_progress → needs_input, humans: accept, [4,5]");
    expect(board.statusChanges.get(5, 1)?.session_id).toBe("s-1");
  });
});
