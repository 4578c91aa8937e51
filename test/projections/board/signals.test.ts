import { describe, expect, test } from "vitest";
import { expectNothingFrom, given, timeOf } from "./given.ts";
import {
  aside,
  ask,
  blocked,
  blockerResolved,
  created,
  done,
  ended,
  flag,
  missing,
  partial,
  set,
  started,
  stuck,
  suggest,
} from "./history.ts";

const running = [created(1), created(2), started()];
const over = [...running, partial(), ended()];

describe("what a signal leaves until its session ends", () => {
  test("an ask with options: one a line, a line break inside one is a space", async () => {
    const options = ["sync", "async,\r\n\nwith retries", "none\rat all"];
    const board = await given(...running, ask({ options, preferred: "sync" }), aside());
    expect(board.questions.get(4)).toMatchObject({
      options: "sync\nasync, with retries\nnone at all",
      preferred: "sync",
      blocking: 1,
      state: "raised",
      late: 0,
    });
    expect(board.questions.get(5)).toMatchObject({
      options: null,
      preferred: null,
      blocking: 0,
      state: "raised",
    });
  });

  test("a blocker with its detail", async () => {
    const board = await given(...running, missing("Redis", { detail: "No credentials." }), blocked("#2"));
    expect(board.blockers.get(4)).toEqual({
      id: 4,
      task_id: 1,
      session_id: "s-1",
      on: "Redis",
      kind: "external",
      detail: "No credentials.",
      late: 0,
      state: "raised",
      state_without_act: null,
      depends_on: null,
      contests: 0,
      circle_with: null,
      acted_at: null,
      created: timeOf(4),
    });
    expect(board.blockers.get(5)).toMatchObject({
      kind: "upstream_task",
      detail: null,
      state: "raised",
      late: 0,
    });
  });

  test.each([
    ["done", done(), "All of it."],
    ["partial", partial("Tests."), "Tests."],
    ["stuck", stuck("No GPU."), "No GPU."],
  ] as const)("%s: what it said, and where", async (verb, signal, text) => {
    const board = await given(...running, aside(), signal);
    expect(board.sessions.get("s-1")).toMatchObject({
      last_closing: verb,
      last_closing_position: 5,
      last_closing_text: text,
      closing: null,
      signals: 2,
    });
    expect(board.tasks.get(1)?.status).toBe("in_progress");
  });
});

describe("a late signal settles nothing", () => {
  test.each([
    ["done", done()],
    ["partial", partial()],
    ["stuck", stuck()],
    ["flag", flag()],
  ])("%s: it is only counted", async (_verb, signal) => {
    const board = await given(...over);
    const [task, session] = [board.tasks.get(1), board.sessions.get("s-1")];
    await board.add(signal);
    expect(board.tasks.get(1)).toEqual(task);
    expect(board.sessions.get("s-1")).toEqual({ ...session, late: 1 });
  });

  test("an ask, a blocker and a suggestion are kept, and nothing follows from them", async () => {
    const board = await given(...over, ask(), blocked("#2"), suggest("Cache"));
    expect(board.questions.get(6)).toMatchObject({ state: "informational", late: 1 });
    expect(board.blockers.get(7)).toMatchObject({ state: "informational", late: 1, depends_on: null });
    expect(board.suggestions.get(8)).toMatchObject({ state: "stored", late: 1, proposed_task: null });
    await board.add(started("s-2"), stuck("No.", { session: "s-2" }), ended("exited", "s-2"));
    expect(board.tasks.scan().map(({ status, depends_on }) => [status, depends_on])).toEqual([
      ["pending", "[]"],
      ["pending", "[]"],
    ]);
    await board.add(set(1, "blocked"), blockerResolved(7));
    expect(board.blockers.get(7)).toMatchObject({ state: "resolved", state_without_act: "informational" });
  });

  test("in the session of another task it is late too", async () => {
    const board = await given(
      ...running,
      done({ task: 2 }),
      ask({ task: 2 }),
      missing("Disk", { task: 2 }),
      ended(),
    );
    expect(board.sessions.get("s-1")).toMatchObject({ closing: "stuck", inferred: 1, signals: 0, late: 3 });
    const informational = { task_id: 2, state: "informational", state_without_act: null, late: 1 };
    expect(board.questions.get(5)).toMatchObject(informational);
    expect(board.blockers.get(6)).toMatchObject(informational);
    expect(board.tasks.get(2)?.status).toBe("pending");
  });
});

describe("a verb in a session that was never started", () => {
  test("starts it, as with force", async () => {
    const board = await given(created(1, { status: "failed" }), flag());
    expect(board.sessions.get("s-1")).toMatchObject({
      implicit: 1,
      forced: 1,
      driver: null,
      workspace_start: null,
      current_state: "idle",
      states: 1,
      signals: 1,
      late: 0,
      started_position: 2,
      started_at: timeOf(2),
    });
    expect(board.sessionStates.scan()).toMatchObject([
      { ordinal: 1, state: "idle", irregular: 0, metadata: "{}" },
    ]);
    expect(board.tasks.get(1)).toMatchObject({
      status: "in_progress",
      open_session: "s-1",
      sessions: 1,
      last_start: 2,
    });
    expect(board.changesOf(1).at(-1)).toBe("failed → in_progress, sessions: start, [2]");
  });

  test("is late where the task has an open session already", async () => {
    const board = await given(...running, done({ session: "s-2" }), ask({ session: "s-2" }));
    expect(board.sessions.scan().map(({ id, late, last_closing }) => [id, late, last_closing])).toEqual([
      ["s-1", 0, null],
    ]);
    expect(board.questions.get(5)).toMatchObject({ session_id: "s-2", state: "informational", late: 1 });
  });

  test("is late where there is no such task", async () => {
    const board = await given(created(1), blocked("#1", { task: 9 }));
    expect(board.sessions.scan()).toEqual([]);
    expect(board.blockers.get(2)).toMatchObject({ task_id: 9, state: "informational", late: 1 });
    await expectNothingFrom([created(1)], done({ task: 9 }), flag({ task: 9 }));
  });
});
