import { describe, expect, test } from "vitest";
import { given } from "./given.ts";
import {
  blocked,
  blockerDismissed,
  blockerReopened,
  blockerResolved,
  changed,
  created,
  deleted,
  done,
  ended,
  inSession,
  missing,
  partial,
  set,
  started,
} from "./history.ts";

const three = [created(1), created(2), created(3)];
const linked = [...three, ...inSession(blocked("task 2"), partial())];
const linkOf = { state: "open", depends_on: 2, contests: 0 };

describe("a blocker of kind upstream_task", () => {
  test("is linked to the task that it names: while it is open, the task depends on that", async () => {
    const board = await given(...linked);
    expect(board.blockers.get(5)).toMatchObject(linkOf);
    expect(board.tasks.get(1)).toMatchObject({ status: "blocked", depends_on: "[2]", open_dependencies: 1 });
    expect(board.dependencies.scan()).toEqual([{ task_id: 1, depends_on: 2, declared: 0 }]);
  });

  test("is not looked at before its session ends", async () => {
    const board = await given(...three, started(), blocked("task 2"));
    expect(board.blockers.get(5)).toMatchObject({ state: "raised", depends_on: null });
    expect(board.tasks.get(1)).toMatchObject({ depends_on: "[]" });
  });

  test("that names no task waits for a human", async () => {
    const board = await given(...three, ...inSession(blocked("the weather"), partial()));
    expect(board.blockers.get(5)).toMatchObject({ state: "open", depends_on: null, contests: 0 });
    expect(board.tasks.get(1)).toMatchObject({ status: "blocked", depends_on: "[]" });
  });

  test.each(["done", "skipped"] as const)(
    "contests a task that is %s, and blocks nothing",
    async (status) => {
      const board = await given(created(1), created(2, { status }), ...inSession(blocked("#2"), partial()));
      expect(board.blockers.get(4)).toMatchObject({
        state: "resolved",
        state_without_act: null,
        depends_on: 2,
        contests: 1,
        acted_at: null,
      });
      expect(board.tasks.get(1)).toMatchObject({ status: "pending", depends_on: "[]" });
    },
  );

  test("that contests a task stays as it is when that task is taken up and done again", async () => {
    const board = await given(created(1), created(2, { status: "done" }), ...inSession(blocked("#2")));
    await board.add(
      blockerResolved(4),
      blockerDismissed(4),
      set(2, "pending"),
      set(2, "done"),
      blockerReopened(4),
    );
    expect(board.blockers.get(4)).toMatchObject({ state: "resolved", contests: 1, acted_at: null });
  });

  test("makes no circle: it stays unlinked, and blocks all the same", async () => {
    const board = await given(created(1), created(2, { depends_on: [3] }), created(3, { depends_on: [1] }));
    await board.add(...inSession(blocked("task 2"), partial()));
    expect(board.blockers.get(5)).toMatchObject({ state: "open", depends_on: null, contests: 0 });
    expect(board.tasks.get(1)).toMatchObject({ status: "blocked", depends_on: "[]" });
  });

  test("makes no circle with another blocker of the same session's end", async () => {
    const board = await given(...linked, started("s-2", 2), blocked("task 1", { task: 2, session: "s-2" }));
    await board.add(ended("exited", "s-2"));
    expect(board.blockers.get(9)).toMatchObject({ state: "open", depends_on: null });
    expect(board.tasks.get(2)).toMatchObject({ status: "blocked", depends_on: "[]" });
  });

  test("adds nothing to a dependency that was declared", async () => {
    const board = await given(created(1, { depends_on: [2] }), created(2), ...inSession(blocked("#2")));
    expect(board.dependencies.scan()).toEqual([{ task_id: 1, depends_on: 2, declared: 1 }]);
    await board.add(blockerResolved(4));
    expect(board.blockers.get(4)).toMatchObject({ state: "resolved", depends_on: 2 });
    expect(board.tasks.get(1)).toMatchObject({ status: "pending", depends_on: "[2]" });
  });
});

test("a blocker of kind external is linked to no task, whatever it names", async () => {
  const board = await given(...three, ...inSession(missing("task 2"), partial()));
  expect(board.blockers.get(5)).toMatchObject({ state: "open", depends_on: null });
  await board.add(blockerResolved(5), blockerReopened(5));
  expect(board.tasks.get(1)).toMatchObject({ status: "blocked", depends_on: "[]" });
});

describe("a human", () => {
  test.each([
    ["resolves", blockerResolved(5), "resolved"],
    ["dismisses", blockerDismissed(5), "dismissed"],
  ] as const)(
    "who %s a linked blocker takes back its dependency, and the link stays known",
    async (_act, act, state) => {
      const board = await given(...linked, act);
      expect(board.blockers.get(5)).toMatchObject({ state, depends_on: 2 });
      expect(board.tasks.get(1)).toMatchObject({ status: "pending", depends_on: "[]", open_dependencies: 0 });
      expect(board.dependencies.scan()).toEqual([]);
    },
  );

  test("who resolves one of two blockers leaves the dependency to the other", async () => {
    const board = await given(...three, ...inSession(blocked("task 2"), blocked("Login"), blocked("#3")));
    expect(board.tasks.get(1)?.depends_on).toBe("[2,3]");
    await board.add(blockerResolved(5));
    expect(board.tasks.get(1)?.depends_on).toBe("[2,3]");
    await board.add(blockerResolved(6));
    expect(board.tasks.get(1)?.depends_on).toBe("[3]");
  });

  test("who takes a resolution back links the blocker again", async () => {
    const board = await given(...linked, blockerResolved(5), blockerReopened(5));
    expect(board.blockers.get(5)).toMatchObject(linkOf);
    expect(board.tasks.get(1)).toMatchObject({ status: "blocked", depends_on: "[2]", open_dependencies: 1 });
  });

  test("who takes a resolution back links to the same task, though its title has changed", async () => {
    const board = await given(...three, ...inSession(blocked("Login")), blockerResolved(5));
    await board.add(changed(2, { title: "Other" }), changed(3, { title: "Login" }), blockerReopened(5));
    expect(board.blockers.get(5)).toMatchObject(linkOf);
    expect(board.tasks.get(1)?.depends_on).toBe("[2]");
  });

  test("who takes a resolution back after the linked task was deleted has a blocker that blocks work", async () => {
    const board = await given(...linked, blockerResolved(5), deleted(2));
    await board.add(blockerReopened(5));
    expect(board.tasks.get(1)).toMatchObject({ status: "blocked", depends_on: "[]" });
    expect(board.inboxItems.where({ task_id: 1 })).toMatchObject([
      { kind: "blocker", id: 5, blocks_work: 1 },
    ]);
  });

  test("who takes a resolution back finds the blocker resolved where its task was done meanwhile", async () => {
    const board = await given(...linked, blockerResolved(5), set(2, "done"), blockerReopened(5));
    expect(board.blockers.get(5)).toMatchObject({ state: "resolved", depends_on: 2, contests: 0 });
    expect(board.tasks.get(1)).toMatchObject({ status: "pending", depends_on: "[]" });
  });

  test("who takes a resolution back makes no circle either", async () => {
    const board = await given(
      ...linked,
      blockerResolved(5),
      changed(2, { depends_on: [1] }),
      blockerReopened(5),
    );
    expect(board.blockers.get(5)).toMatchObject({ state: "open" });
    expect(board.tasks.get(1)).toMatchObject({ status: "blocked", depends_on: "[]" });
  });

  test("who acted before the session's end has it linked when the act is taken back", async () => {
    const board = await given(...three, ...inSession(blocked("task 2"), blockerResolved(5), partial()));
    expect(board.blockers.get(5)).toMatchObject({
      state: "resolved",
      state_without_act: "open",
      depends_on: null,
    });
    expect(board.tasks.get(1)).toMatchObject({ status: "pending", depends_on: "[]" });
    await board.add(blockerReopened(5));
    expect(board.blockers.get(5)).toMatchObject(linkOf);
    expect(board.tasks.get(1)).toMatchObject({ status: "blocked", depends_on: "[2]" });
  });

  test("who acted before the session's end has it contest a task that was done meanwhile", async () => {
    const board = await given(...three, ...inSession(blocked("task 2"), blockerResolved(5)), set(2, "done"));
    await board.add(blockerReopened(5));
    expect(board.blockers.get(5)).toMatchObject({ state: "resolved", depends_on: 2, contests: 1 });
    expect(board.tasks.get(1)?.status).toBe("pending");
  });

  test("who takes an act back during the session leaves the link to its end", async () => {
    const board = await given(...three, started(), blocked("task 2"), blockerResolved(5), blockerReopened(5));
    expect(board.blockers.get(5)).toMatchObject({ state: "raised", depends_on: null });
    await board.add(ended());
    expect(board.blockers.get(5)).toMatchObject(linkOf);
  });

  test("who takes an act back on an unlinked blocker does not have it linked to a task made since", async () => {
    const board = await given(created(1), ...inSession(blocked("task 2")), blockerResolved(3), created(2));
    await board.add(blockerReopened(3));
    expect(board.blockers.get(3)).toMatchObject({ state: "open", depends_on: null });
    expect(board.tasks.get(1)).toMatchObject({ status: "blocked", depends_on: "[]" });
  });

  test("who resolves a blocker that became information takes nothing from another that holds the dependency", async () => {
    const board = await given(...linked, set(1, "done"), set(1, "pending"), started("s-2"));
    await board.add(blocked("#2", { session: "s-2" }), ended("exited", "s-2"));
    expect(board.tasks.get(1)?.depends_on).toBe("[2]");
    await board.add(blockerResolved(5));
    expect(board.blockers.get(5)).toMatchObject({ state: "resolved", state_without_act: "informational" });
    expect(board.tasks.get(1)?.depends_on).toBe("[2]");
    await board.add(blockerReopened(5));
    expect(board.blockers.get(5)).toMatchObject({ state: "informational", acted_at: null });
    expect(board.tasks.get(1)?.depends_on).toBe("[2]");
  });

  test("who resolves what became information leaves what a later blocker added, though that resolved by itself", async () => {
    const board = await given(...linked, set(1, "done"), set(1, "pending"), started("s-2"));
    await board.add(
      blocked("#2", { session: "s-2" }),
      ended("exited", "s-2"),
      set(2, "done"),
      blockerResolved(5),
    );
    expect(board.tasks.get(1)).toMatchObject({ status: "pending", depends_on: "[2]", open_dependencies: 0 });
  });

  test("who resolves what became information leaves a dependency that resolved by itself", async () => {
    const board = await given(...three, ...inSession(blocked("#2"), blocked("#3")), set(2, "done"));
    expect(board.tasks.get(1)).toMatchObject({ depends_on: "[2,3]", open_dependencies: 1 });
    await board.add(started("s-2"), done({ session: "s-2" }), ended("exited", "s-2"), blockerResolved(6));
    expect(board.tasks.get(1)?.depends_on).toBe("[2]");
  });
});
