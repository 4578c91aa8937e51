import { describe, expect, test } from "vitest";
import { dependencyPath } from "../../../src/projections/board/dependencies.ts";
import { type GivenBoard, given } from "./given.ts";
import {
  blocked,
  blockerResolved,
  changed,
  created,
  done,
  ended,
  inSession,
  set,
  started,
} from "./history.ts";

const heldBy = (board: GivenBoard, task = 1) => {
  const { depends_on, open_dependencies } = board.tasks.get(task) ?? {};
  return [depends_on, open_dependencies];
};

describe("what a task depends on", () => {
  test("is listed in the order of ids, and what is neither done nor skipped is counted", async () => {
    const board = await given(created(2, { status: "done" }), created(3, { status: "skipped" }), created(4));
    await board.add(created(5, { status: "failed" }), created(1, { depends_on: [5, 3, 2, 4] }));
    expect(heldBy(board)).toEqual(["[2,3,4,5]", 2]);
    expect(board.dependencies.where({ task_id: 1 }).map(({ declared }) => declared)).toEqual([1, 1, 1, 1]);
  });

  test("is counted again for every task that depends on one that is settled or taken up again", async () => {
    const board = await given(
      created(1),
      created(2, { depends_on: [1] }),
      created(3, { depends_on: [1, 2] }),
    );
    expect([heldBy(board, 2), heldBy(board, 3)]).toEqual([
      ["[1]", 1],
      ["[1,2]", 2],
    ]);
    await board.add(...inSession(done()));
    expect([heldBy(board, 2), heldBy(board, 3)]).toEqual([
      ["[1]", 0],
      ["[1,2]", 1],
    ]);
    await board.add(set(1, "skipped"));
    expect(heldBy(board, 2)).toEqual(["[1]", 0]);
    await board.add(set(1, "pending"));
    expect([heldBy(board, 2), heldBy(board, 3)]).toEqual([
      ["[1]", 1],
      ["[1,2]", 2],
    ]);
  });

  test("may be a task that is not there, which holds it up until it is there and done", async () => {
    const board = await given(created(1, { depends_on: [9] }));
    expect(heldBy(board)).toEqual(["[9]", 1]);
    await board.add(created(9), set(9, "done"));
    expect(heldBy(board)).toEqual(["[9]", 0]);
  });

  test("is replaced by a change, also by nothing", async () => {
    const board = await given(created(2), created(3), created(4), created(1, { depends_on: [2, 3] }));
    await board.add(changed(1, { depends_on: [3, 4] }));
    expect(heldBy(board)).toEqual(["[3,4]", 2]);
    expect(board.dependencies.scan().map(({ depends_on, declared }) => [depends_on, declared])).toEqual([
      [3, 1],
      [4, 1],
    ]);
    await board.add(changed(1, { depends_on: [] }));
    expect(heldBy(board)).toEqual(["[]", 0]);
    expect(board.dependencies.scan()).toEqual([]);
  });

  test("stays where a change does not name it", async () => {
    const board = await given(created(2), created(1, { depends_on: [2] }), changed(1, { title: "Other" }));
    expect(heldBy(board)).toEqual(["[2]", 1]);
  });
});

describe("a dependency that an open blocker holds", () => {
  const linked = [created(1), created(2), created(3), ...inSession(blocked("task 2"))];

  test("stays where others are declared", async () => {
    const board = await given(...linked, changed(1, { depends_on: [3] }));
    expect(heldBy(board)).toEqual(["[2,3]", 2]);
    await board.add(changed(1, { depends_on: [] }));
    expect(heldBy(board)).toEqual(["[2]", 1]);
    await board.add(blockerResolved(5));
    expect(heldBy(board)).toEqual(["[]", 0]);
  });

  test("and that is declared as well stays when the blocker is resolved", async () => {
    const board = await given(...linked, changed(1, { depends_on: [2] }), blockerResolved(5));
    expect(heldBy(board)).toEqual(["[2]", 1]);
    expect(board.dependencies.scan()).toEqual([{ task_id: 1, depends_on: 2, declared: 1 }]);
  });

  test("and that resolved by itself goes with the next declaration", async () => {
    const board = await given(...linked, set(2, "done"));
    expect(heldBy(board)).toEqual(["[2]", 0]);
    await board.add(changed(1, { depends_on: [3] }));
    expect(heldBy(board)).toEqual(["[3]", 1]);
  });

  test("is not taken from another task that depends on the same", async () => {
    const board = await given(...linked, started("s-3", 3), blocked("task 2", { task: 3, session: "s-3" }));
    await board.add(ended("exited", "s-3"), blockerResolved(5));
    expect([heldBy(board, 1), heldBy(board, 3)]).toEqual([
      ["[]", 0],
      ["[2]", 1],
    ]);
  });
});

describe("the way along dependencies", () => {
  const given4 = () =>
    given(
      created(1, { depends_on: [2, 3] }),
      created(2, { depends_on: [4] }),
      created(3, { depends_on: [4] }),
      created(4, { depends_on: [5] }),
      created(5),
    );

  test.each([
    [1, 1, [1]],
    [1, 3, [1, 3]],
    [1, 5, [1, 2, 4, 5]],
    [3, 5, [3, 4, 5]],
    [5, 1, undefined],
    [2, 3, undefined],
    [9, 1, undefined],
  ])("from %i to %i is %j", async (from, to, path) => {
    expect(dependencyPath(await given4(), from, to)).toEqual(path);
  });

  test("ends also where a log holds a circle", async () => {
    const board = await given(created(1, { depends_on: [2] }), created(2, { depends_on: [1] }), created(3));
    expect(dependencyPath(board, 1, 3)).toBeUndefined();
    expect(dependencyPath(board, 1, 2)).toEqual([1, 2]);
  });
});
