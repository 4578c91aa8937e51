import { describe, expect, test } from "vitest";
import { isReady } from "../../../src/projections/board/status.ts";
import { expectNothingFrom, type GivenBoard, given } from "./given.ts";
import {
  attempted,
  byAgent,
  created,
  deleted,
  done,
  ended,
  gateActed,
  gateDecided,
  gateDeclared,
  gated,
  set,
  started,
} from "./history.ts";

const two = byAgent(created(1, gated({}, {})));
const ready = (board: GivenBoard, task = 1) => {
  const row = board.tasks.get(task);
  return row !== undefined && isReady(row);
};

describe("gates of an agent", () => {
  test("of a new task wait for a human, and the task with them", async () => {
    const board = await given(two);
    expect(board.gates.scan()).toMatchObject([
      { gate: 1, declared: 1, approval: "waiting", state: "pending", approval_position: null },
      { gate: 2, declared: 1, approval: "waiting", state: "pending" },
    ]);
    expect(board.tasks.get(1)).toMatchObject({ status: "pending", unapproved_gates: 2 });
    expect(ready(board)).toBe(false);
  });

  test("of a task that was ready make it wait; a human's do not", async () => {
    const board = await given(created(1, gated({})), gateDeclared(2));
    expect(ready(board)).toBe(true);
    await board.add(gateDeclared(3, "agent"));
    expect(board.gates.scan().map(({ approval, declared }) => [approval, declared])).toEqual([
      ["unneeded", 1],
      ["unneeded", 2],
      ["waiting", 3],
    ]);
    expect(ready(board)).toBe(false);
  });

  test("are not run: an attempt changes nothing", async () => {
    await expectNothingFrom([two], attempted(0), attempted(1), gateActed("skip"));
  });

  test("under a number that is there, or of no task, change nothing", async () => {
    await expectNothingFrom([two], gateDeclared(1, "agent"), gateDeclared(1, "agent", 9));
  });
});

describe("a human's decision", () => {
  test("approved, a gate can be run, and the task is ready with the last one", async () => {
    const board = await given(two, gateDecided("approved"));
    expect(board.gates.get(1, 1)).toMatchObject({
      approval: "approved",
      approval_position: 2,
      state: "pending",
    });
    expect(ready(board)).toBe(false);
    await board.add(gateDecided("approved", 2));
    expect(ready(board)).toBe(true);
    await board.add(attempted(0));
    expect(board.gates.get(1, 1)?.state).toBe("passed");
  });

  test("rejected, a gate is skipped, and never run", async () => {
    const board = await given(two, gateDecided("rejected"));
    expect(board.gates.get(1, 1)).toMatchObject({
      approval: "rejected",
      approval_position: 2,
      state: "skipped",
    });
    await expectNothingFrom([two, gateDecided("rejected")], attempted(0), attempted(1));
  });

  test.each(["approved", "rejected"] as const)("%s and taken back, it waits as before", async (as) => {
    const board = await given(two);
    const before = [board.gates.scan(), ready(board)];
    await board.add(gateDecided(as), gateDecided("reopened"));
    expect([board.gates.scan(), ready(board)]).toEqual(before);
    expect(board.tasks.get(1)?.unapproved_gates).toBe(2);
  });

  test("changes nothing where nothing waits", async () => {
    const acts = (["approved", "rejected"] as const).flatMap((as) => [gateDecided(as), gateDecided(as, 9)]);
    await expectNothingFrom([created(1, gated({}))], ...acts, gateDecided("reopened"));
    await expectNothingFrom([two, gateDecided("approved")], ...acts);
    await expectNothingFrom([two, gateDecided("rejected")], ...acts);
    await expectNothingFrom([two], gateDecided("reopened"), gateDecided("approved", 1, 9));
  });

  test("outlives a status that is set by hand", async () => {
    const board = await given(two, set(1, "skipped"), set(1, "pending"));
    expect(board.tasks.get(1)).toMatchObject({ status: "pending", unapproved_gates: 2 });
    expect(ready(board)).toBe(false);
    await board.add(gateDecided("rejected"), set(1, "pending"));
    expect(board.gates.get(1, 1)?.state).toBe("skipped");
  });

  test("goes with a task that is deleted", async () => {
    const board = await given(two, deleted(1));
    expect(board.gates.scan()).toEqual([]);
    await expectNothingFrom([two, deleted(1)], gateDecided("approved"), gateDecided("rejected"));
  });
});

describe("a session that was started by force while a gate waits", () => {
  const forced = [
    byAgent(created(1, gated({ command: "./check.sh" }))),
    started("s-1", 1, { forced: true }),
    attempted(0),
    done(),
    ended(),
  ];

  test("ends with a done that is not verified, and says that the gate waits", async () => {
    const board = await given(...forced);
    expect(board.sessions.get("s-1")).toMatchObject({ closing: "done", unverified: 1, outcome: "partial" });
    expect(board.tasks.get(1)).toMatchObject({
      status: "pending",
      remaining: "Gate 1 (./check.sh) waits for a human's approval and has not been run.",
    });
    expect(ready(board)).toBe(false);
  });

  test("is verified by a gate that was approved meanwhile and passed", async () => {
    const [task, start] = forced;
    if (!task || !start) throw new Error("a task and its session were expected");
    const board = await given(task, start, gateDecided("approved"), attempted(0), done(), ended());
    expect(board.tasks.get(1)?.status).toBe("done");
  });

  test("is done when the last gate in the way is rejected while the task waits for a human", async () => {
    const board = await given(...forced, set(1, "needs_input"), gateDecided("rejected"));
    expect(board.changesOf(1).at(-1)).toBe("needs_input → done, gates: skip, [4,7]");
  });
});
