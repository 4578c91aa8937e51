import { describe, expect, test } from "vitest";
import { expectNothingFrom, given, timeOf } from "./given.ts";
import {
  accepted,
  answered,
  aside,
  ask,
  blocked,
  blockerDismissed,
  blockerReopened,
  blockerResolved,
  created,
  dismissed,
  done,
  ended,
  inSession,
  missing,
  partial,
  reopened,
  sentBack,
  set,
  started,
} from "./history.ts";

const asked = [created(1), ...inSession(ask(), partial())];
const blocking = [created(1), ...inSession(missing("Redis"), partial())];

describe("an ask", () => {
  test("that is answered keeps the answer, and the task goes on", async () => {
    const board = await given(...asked, answered(3, "UTF-8."));
    expect(board.questions.get(3)).toEqual({
      id: 3,
      task_id: 1,
      session_id: "s-1",
      question: "Which encoding?",
      options: null,
      preferred: null,
      blocking: 1,
      late: 0,
      state: "answered",
      state_without_act: "open",
      answer: "UTF-8.",
      acted_at: 6,
      created: timeOf(3),
    });
    expect(board.changesOf(1).at(-1)).toBe("needs_input → pending, settlement 7d, [6]");
  });

  test("that is dismissed has no answer, and the task goes on", async () => {
    const board = await given(...asked, dismissed(3));
    expect(board.questions.get(3)).toMatchObject({
      state: "dismissed",
      state_without_act: "open",
      answer: null,
      acted_at: 6,
    });
    expect(board.changesOf(1).at(-1)).toBe("needs_input → pending, settlement 7d, [6]");
  });

  test("that is not the only one leaves the task waiting", async () => {
    const board = await given(created(1), ...inSession(ask(), ask(), partial()), answered(3));
    expect(board.tasks.get(1)?.status).toBe("needs_input");
    await board.add(answered(4));
    expect(board.tasks.get(1)?.status).toBe("pending");
  });

  test("that is answered or dismissed is not answered or dismissed again", async () => {
    await expectNothingFrom([...asked, answered(3)], answered(3, "Latin-1."), dismissed(3));
    await expectNothingFrom([...asked, dismissed(3)], answered(3), dismissed(3));
  });

  test("that is an aside can be answered, which moves no task", async () => {
    const board = await given(created(1), ...inSession(aside()), set(1, "blocked"), answered(3));
    expect(board.questions.get(3)).toMatchObject({ state: "answered", state_without_act: "informational" });
    expect(board.tasks.get(1)?.status).toBe("blocked");
  });

  test("of a running session can be answered, and waits for nobody at the end", async () => {
    const board = await given(created(1), started(), ask(), answered(3));
    expect(board.questions.get(3)).toMatchObject({ state: "answered", state_without_act: "raised" });
    expect(board.tasks.get(1)?.status).toBe("in_progress");
    await board.add(partial(), ended());
    expect(board.tasks.get(1)?.status).toBe("pending");
  });

  test.each([
    ["an answer", answered(3)],
    ["a dismissal", dismissed(3)],
  ])("is as it was before when %s is taken back, and the task waits again", async (_act, act) => {
    const board = await given(...asked);
    const before = board.questions.get(3);
    await board.add(act, reopened(3));
    expect(board.questions.get(3)).toEqual(before);
    expect(board.changesOf(1).slice(-2)).toEqual([
      "needs_input → pending, settlement 7d, [6]",
      "pending → needs_input, settlement 7b, [3,7]",
    ]);
  });

  test("that opens again comes before the blocker that the task waits for", async () => {
    const board = await given(created(1), ...inSession(ask(), missing("Redis"), partial()), answered(3));
    expect(board.tasks.get(1)?.status).toBe("blocked");
    await board.add(reopened(3));
    expect(board.changesOf(1).at(-1)).toBe("blocked → needs_input, settlement 7b, [3,8]");
  });

  test("whose answer is taken back has the status evaluated again, also one that was set by hand", async () => {
    const board = await given(created(1), ...inSession(aside(), partial()), answered(3));
    await board.add(set(1, "needs_input"), reopened(3));
    expect(board.changesOf(1).at(-1)).toBe("needs_input → pending, settlement 7d, [8]");
  });

  test("of a running session is raised again when the answer is taken back", async () => {
    const board = await given(created(1), started(), ask(), answered(3), reopened(3));
    expect(board.questions.get(3)).toMatchObject({ state: "raised", answer: null, acted_at: null });
    expect(board.tasks.get(1)?.status).toBe("in_progress");
  });

  test.each(["done", "failed", "skipped", "draft"] as const)(
    "that opens again does not move a task that is %s",
    async (status) => {
      const board = await given(...asked, answered(3), set(1, "draft"), set(1, status), reopened(3));
      expect(board.tasks.get(1)?.status).toBe(status);
    },
  );

  test("that nobody acted on, or that is not there, changes nothing when it is taken back", async () => {
    await expectNothingFrom([...asked, set(1, "blocked")], reopened(3), reopened(4), reopened(99));
    await expectNothingFrom(asked, answered(99), dismissed(99), answered(4));
  });
});

describe("a blocker", () => {
  test.each([
    ["resolved", blockerResolved(3)],
    ["dismissed", blockerDismissed(3)],
  ] as const)("that is %s lets the task go on", async (state, act) => {
    const board = await given(...blocking, act);
    expect(board.blockers.get(3)).toEqual({
      id: 3,
      task_id: 1,
      session_id: "s-1",
      on: "Redis",
      kind: "external",
      detail: null,
      late: 0,
      state,
      state_without_act: "open",
      depends_on: null,
      contests: 0,
      circle_with: null,
      acted_at: 6,
      created: timeOf(3),
    });
    expect(board.changesOf(1).at(-1)).toBe("blocked → pending, settlement 7d, [6]");
  });

  test("that is resolved or dismissed is not resolved or dismissed again", async () => {
    await expectNothingFrom([...blocking, blockerResolved(3)], blockerResolved(3), blockerDismissed(3));
    await expectNothingFrom([...blocking, blockerDismissed(3)], blockerResolved(3), blockerDismissed(3));
  });

  test("that is information can be resolved, which moves no task", async () => {
    const board = await given(created(1), ...inSession(missing("Redis"), done()), set(1, "blocked"));
    await board.add(blockerResolved(3));
    expect(board.blockers.get(3)).toMatchObject({ state: "resolved", state_without_act: "informational" });
    expect(board.tasks.get(1)?.status).toBe("blocked");
  });

  test.each([
    ["a resolution", blockerResolved(3)],
    ["a dismissal", blockerDismissed(3)],
  ])("is as it was before when %s is taken back, and the task waits again", async (_act, act) => {
    const board = await given(...blocking);
    const before = board.blockers.get(3);
    await board.add(act, blockerReopened(3));
    expect(board.blockers.get(3)).toEqual(before);
    expect(board.changesOf(1).at(-1)).toBe("pending → blocked, settlement 7c, [3,7]");
  });

  test("that nobody acted on, or that is not there, changes nothing when it is taken back", async () => {
    await expectNothingFrom(blocking, blockerReopened(3), blockerReopened(4), blockerReopened(99));
    await expectNothingFrom(blocking, blockerResolved(99), blockerDismissed(99), blockerResolved(4));
  });

  test("of a running session is raised again when its resolution is taken back", async () => {
    const board = await given(created(1), started(), missing("Redis"), blockerResolved(3));
    expect(board.blockers.get(3)).toMatchObject({ state: "resolved", state_without_act: "raised" });
    await board.add(blockerReopened(3));
    expect(board.blockers.get(3)).toMatchObject({ state: "raised", acted_at: null });
    expect(board.tasks.get(1)?.status).toBe("in_progress");
  });
});

describe("a task that a human is to accept", () => {
  const waiting = [created(1, { accept: "human" }), ...inSession(blocked("Redis"), done())];

  test("is done when it is accepted", async () => {
    const board = await given(...waiting, accepted());
    expect(board.tasks.get(1)).toMatchObject({
      status: "done",
      awaiting_acceptance: 0,
      completed_at: timeOf(6),
    });
    expect(board.changesOf(1).slice(-2)).toEqual([
      "in_progress → needs_input, humans: accept, [4,5]",
      "needs_input → done, humans: accept, [6]",
    ]);
  });

  test("is pending when it is sent back, and the comment says what remains", async () => {
    const board = await given(...waiting, sentBack("No header."));
    expect(board.tasks.get(1)).toMatchObject({
      status: "pending",
      awaiting_acceptance: 0,
      remaining: "No header.",
    });
    expect(board.changesOf(1).at(-1)).toBe("needs_input → pending, humans: send back, [6]");
  });

  test("waits no longer once a session has started", async () => {
    const board = await given(...waiting, started("s-2", 1, { forced: true }), ended("cancelled", "s-2"));
    expect(board.tasks.get(1)).toMatchObject({ status: "pending", awaiting_acceptance: 0 });
  });

  test("is accepted and sent back once", async () => {
    await expectNothingFrom([...waiting, accepted()], accepted(), sentBack("No header."));
    await expectNothingFrom([...waiting, sentBack("No header.")], accepted(), sentBack("No footer."));
  });

  test("is one that waits for it, and is there", async () => {
    const history = [created(1, { accept: "human" }), created(2), started()];
    await expectNothingFrom(
      history,
      accepted(),
      accepted(2),
      accepted(9),
      sentBack("No."),
      sentBack("No.", 9),
    );
  });
});
