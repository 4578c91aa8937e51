import { describe, expect, test } from "vitest";
import { expectNothingFrom, given } from "./given.ts";
import {
  approved,
  ask,
  attempted,
  blocked,
  blockerDismissed,
  blockerReopened,
  blockerResolved,
  changed,
  created,
  deleted,
  done,
  ended,
  enriched,
  gateActed,
  gated,
  inSession,
  missing,
  partial,
  rejected,
  set,
  started,
  suggest,
  suggestionReopened,
} from "./history.ts";

const proposed = [created(1), ...inSession(suggest("Cache"))];

describe("a task that is deleted", () => {
  test("is gone with its gates and dependencies, and is not counted any more", async () => {
    const board = await given(
      created(1),
      created(2, { depends_on: [1], status: "blocked", ...gated({}, {}) }),
      created(3, { depends_on: [1], status: "blocked", ...gated({}) }),
      deleted(2),
    );
    expect(board.tasks.scan().map(({ id }) => id)).toEqual([1, 3]);
    expect(board.gates.scan().map(({ task_id }) => task_id)).toEqual([3]);
    expect(board.dependencies.scan()).toEqual([{ task_id: 3, depends_on: 1, declared: 1 }]);
    expect(board.taskCounts.scan()).toEqual([
      { status: "blocked", tasks: 1 },
      { status: "pending", tasks: 1 },
    ]);
  });

  test("leaves its sessions, its status changes and what was said in them", async () => {
    const board = await given(created(1), ...inSession(ask(), partial()));
    const [before, changes] = [board.sessions.get("s-1"), board.changesOf(1)];
    await board.add(deleted(1));
    expect(board.sessions.get("s-1")).toEqual(before);
    expect(board.changesOf(1)).toEqual(changes);
    expect(board.questions.get(3)).toMatchObject({ question: "Which encoding?", task_id: 1 });
  });

  test("takes with it what waits for a human, also behind an act; what is information stays", async () => {
    const board = await given(
      created(1),
      ...inSession(ask(), ask({ blocking: false }), missing("Disk"), missing("Redis"), partial()),
      blockerResolved(6),
      deleted(1),
    );
    expect(board.questions.scan().map(({ state, acted_at }) => [state, acted_at])).toEqual([
      ["dismissed", 10],
      ["informational", null],
    ]);
    expect(
      board.blockers
        .scan()
        .map(({ state, state_without_act, acted_at }) => [state, state_without_act, acted_at]),
    ).toEqual([
      ["dismissed", "open", 10],
      ["resolved", "dismissed", 9],
    ]);
  });

  test("frees the title and the number that blockers look for", async () => {
    const board = await given(created(1), created(2), deleted(2), started());
    await board.add(blocked("Login"), blocked("task 2"), partial(), ended());
    expect(board.blockers.scan().map(({ state, depends_on }) => [state, depends_on])).toEqual([
      ["open", null],
      ["open", null],
    ]);
  });

  test("has an id that no other task gets", async () => {
    const board = await given(created(1), created(5), deleted(5), ...inSession(suggest("Cache")));
    expect(board.tasks.scan().map(({ id }) => id)).toEqual([1, 6]);
    expect(board.taskIds.scan()).toEqual([{ id: 1, last_id: 6 }]);
  });

  test("is not deleted while a session of it is open, nor where it is not there", async () => {
    await expectNothingFrom([created(1), started()], deleted(1), deleted(9));
  });

  test("is changed by nothing that comes later", async () => {
    const history = [
      created(1, gated({ max: 1 })),
      ...inSession(ask(), missing("Disk"), attempted(1)),
      deleted(1),
    ];
    await expectNothingFrom(
      history,
      deleted(1),
      changed(1, { title: "Other" }),
      enriched(1),
      set(1, "pending"),
      attempted(0),
      gateActed("skip"),
      started("s-2"),
      ended(),
    );
  });
});

describe("a late signal of a task that was deleted", () => {
  const history = [created(1), created(2), ...inSession(), deleted(1)];

  test("is kept and counted, and nothing follows from it", async () => {
    const board = await given(...history, ask(), blocked("task 2"), suggest("Cache"), done());
    expect(board.sessions.get("s-1")).toMatchObject({ late: 4, closing: "stuck" });
    expect(board.questions.scan()).toMatchObject([{ late: 1, state: "informational" }]);
    expect(board.blockers.scan()).toMatchObject([{ late: 1, state: "informational", depends_on: null }]);
    expect(board.suggestions.scan()).toMatchObject([{ late: 1, state: "stored" }]);
    expect(board.tasks.scan().map(({ id }) => id)).toEqual([2]);
  });

  test("starts no session", async () => {
    const board = await given(...history, ask({ session: "s-9" }));
    expect(board.sessions.scan().map(({ id }) => id)).toEqual(["s-1"]);
  });
});

describe("a blocker of another task that was linked to one that is deleted", () => {
  const linked = [created(1), created(2), ...inSession(blocked("task 2"), partial())];

  test.each([
    ["resolved", blockerResolved(4)],
    ["dismissed", blockerDismissed(4)],
  ])("and was %s waits for a human when that is taken back, and holds no dependency", async (_how, act) => {
    const board = await given(...linked, act, deleted(2), blockerReopened(4));
    expect(board.blockers.get(4)).toMatchObject({ state: "open", depends_on: 2, contests: 0 });
    expect(board.tasks.get(1)).toMatchObject({ status: "blocked", depends_on: "[]", open_dependencies: 0 });
    await board.add(blockerResolved(4));
    expect(board.tasks.get(1)).toMatchObject({ status: "pending", depends_on: "[]" });
  });

  test("and contested it keeps its number", async () => {
    const board = await given(
      created(1),
      created(2, { status: "done" }),
      ...inSession(blocked("task 2"), partial()),
      deleted(2),
    );
    expect(board.blockers.get(4)).toMatchObject({ state: "resolved", depends_on: 2, contests: 1 });
    expect(board.tasks.get(1)).toMatchObject({ status: "pending", depends_on: "[]" });
  });
});

describe("a proposal whose draft is deleted", () => {
  test("is rejected", async () => {
    const board = await given(...proposed, deleted(2));
    expect(board.suggestions.get(3)).toMatchObject({ state: "rejected", proposed_task: 2, acted_at: 5 });
  });

  test.each([
    ["approved", approved(3)],
    ["rejected", rejected(3)],
  ] as const)("stays %s where a human decided before", async (state, act) => {
    const board = await given(...proposed, act, deleted(2));
    expect(board.suggestions.get(3)).toMatchObject({ state, acted_at: 5 });
  });

  test("stays decided: there is no draft to go back to", async () => {
    await expectNothingFrom([...proposed, deleted(2)], suggestionReopened(3), approved(3), rejected(3));
    await expectNothingFrom([...proposed, approved(3), deleted(2)], suggestionReopened(3));
  });

  test("stays open where the suggesting task is deleted, and can be decided and taken back", async () => {
    const board = await given(...proposed, deleted(1));
    expect(board.suggestions.get(3)).toMatchObject({ state: "proposed", proposed_task: 2 });
    await board.add(approved(3));
    expect(board.tasks.get(2)?.status).toBe("pending");
    await board.add(suggestionReopened(3));
    expect(board.tasks.get(2)?.status).toBe("draft");
  });
});
