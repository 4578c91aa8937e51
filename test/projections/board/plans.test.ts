import { describe, expect, test } from "vitest";
import type { PayloadOf } from "../../../src/events/types/index.ts";
import type { SessionExit } from "../../../src/events/types/sessions.ts";
import { given } from "./given.ts";
import { byAgent, created, event, set } from "./history.ts";

/* Catches: a draft that is on the board before its approval, half of a plan, a session without a task that settles one. */

const begun = (plan = 1, session = "s-1", fields: Partial<PayloadOf<"plan.begun">> = {}) => [
  event("session.started", { session, recipe: "braindump", forced: false }),
  event("plan.begun", { plan, session, text: "# Reports", ...fields }),
];
const drafted = (task: number, fields: Partial<PayloadOf<"task.created">> = {}, plan = 1) =>
  byAgent(created(task, { plan, ...fields }));
const ended = (session = "s-1", exit: SessionExit = "exited") => event("session.ended", { session, exit });
const on = (act: "approved" | "rejected" | "reopened", tasks: number[], plan = 1) =>
  event(`plan.${act}`, { plan, tasks });

/** A plan of two tasks, the second of which builds on the first and has a gate. */
const proposed = [
  ...begun(),
  drafted(1),
  drafted(2, { depends_on: [1], gates: [{ command: "npm test", max: 5, timeout_s: 300 }] }),
  ended(),
];

describe("what a plan proposes", () => {
  test("is an agent's draft, and one item of the inbox, once its session has ended", async () => {
    const board = await given(...proposed.slice(0, -1));
    expect(board.tasks.get(1)).toMatchObject({ status: "draft", origin: "agent" });
    expect(board.inboxItems.scan()).toEqual([]);
    await board.add(ended());
    expect(board.inboxItems.scan()).toMatchObject([{ kind: "plan", id: 2, task_id: null, blocks_work: 0 }]);
    expect(board.plans.get(1)).toMatchObject({ state: "proposed", tasks: 2, drafts: 2 });
  });

  test("is a draft even where its session made it pending", async () => {
    const board = await given(...begun(), drafted(1, { status: "pending" }));
    expect(board.tasks.get(1)).toMatchObject({ status: "draft" });
  });

  test("is pending together, with its gates, once it is approved", async () => {
    const board = await given(...proposed, on("approved", [1, 2]));
    expect(board.tasks.scan()).toMatchObject([
      { status: "pending" },
      { status: "pending", unapproved_gates: 0 },
    ]);
    expect(board.gates.get(2, 1)).toMatchObject({ approval: "approved" });
    expect(board.inboxItems.scan()).toEqual([]);
    expect(board.plans.get(1)).toMatchObject({ state: "decided", drafts: 0 });
    expect(board.changesOf(1).at(-1)).toMatch(/^draft → pending, humans: approved/);
  });

  test("waits on where only some of it is decided", async () => {
    const board = await given(...proposed, on("approved", [1]));
    expect(board.tasks.scan()).toMatchObject([{ status: "pending" }, { status: "draft" }]);
    expect(board.inboxItems.scan()).toMatchObject([{ kind: "plan" }]);
    await board.add(on("rejected", [2]));
    expect(board.tasks.get(2)).toMatchObject({ status: "skipped" });
    expect(board.inboxItems.scan()).toEqual([]);
  });

  test("is undecided again when the act is undone, with its gates", async () => {
    const board = await given(...proposed, on("approved", [1, 2]), on("reopened", [1, 2]));
    expect(board.tasks.scan()).toMatchObject([{ status: "draft" }, { status: "draft", unapproved_gates: 1 }]);
    expect(board.gates.get(2, 1)).toMatchObject({ approval: "waiting" });
    expect(board.inboxItems.scan()).toMatchObject([{ kind: "plan" }]);
  });

  test("is decided by a status that a human sets, too; its gates wait then", async () => {
    const board = await given(...proposed, set(1, "skipped"), set(2, "pending"));
    expect(board.plans.get(1)).toMatchObject({ state: "decided" });
    expect(board.inboxItems.scan()).toMatchObject([{ kind: "gate_approval", task_id: 2 }]);
  });

  test("of another plan is not touched by an act that names its tasks", async () => {
    const board = await given(...proposed, ...begun(2, "s-2"), ended("s-2"), on("approved", [1], 2));
    expect(board.tasks.get(1)).toMatchObject({ status: "draft" });
  });
});

describe("the same again", () => {
  test("makes no second draft, and is counted", async () => {
    const board = await given(
      ...proposed,
      ...begun(2, "s-2"),
      event("plan.confirmed", { plan: 2, task: 1 }, "agent"),
    );
    const [draft] = board.suggestions.where({ proposed_task: 1 });
    expect(draft).toMatchObject({ plan: 1, confirmed: 1 });
    await board.add(ended("s-2"));
    expect(board.plans.get(2)).toMatchObject({ state: "empty" });
  });

  test("by a plan that replaces the first one takes over what both propose; the rest is skipped", async () => {
    const again = [
      ...begun(2, "s-2", { again: 1 }),
      event("plan.confirmed", { plan: 2, task: 1 }, "agent"),
      drafted(3, {}, 2),
    ];
    const board = await given(...proposed, ...again);
    expect(board.tasks.get(2)).toMatchObject({ status: "draft" });
    await board.add(ended("s-2"));
    expect(board.tasks.scan().map(({ status }) => status)).toEqual(["draft", "skipped", "draft"]);
    expect(board.plans.scan()).toMatchObject([
      { state: "decided", tasks: 1, drafts: 0 },
      { state: "proposed", tasks: 2, drafts: 2 },
    ]);
  });

  test("that proposes nothing replaces nothing", async () => {
    const board = await given(...proposed, ...begun(2, "s-2", { again: 1 }), ended("s-2", "crashed"));
    expect(board.tasks.scan().map(({ status }) => status)).toEqual(["draft", "draft"]);
  });
});

test.each([
  ["exited", "success"],
  ["crashed", "failure"],
  ["timed_out", "timeout"],
  ["cancelled", "cancelled"],
] as const)("a session without a task that %s comes to %s, and settles nothing", async (exit, outcome) => {
  const board = await given(created(1), ...begun(), ended("s-1", exit));
  expect(board.sessions.get("s-1")).toMatchObject({ task_id: null, outcome, closing: null, inferred: 0 });
  expect(board.sessionTimes.scan()).toMatchObject([{ session_id: "s-1", task_id: null, outcome }]);
  expect(board.tasks.get(1)).toMatchObject({ status: "pending", sessions: 0, stuck_count: 0 });
});

test("what was found wrong with a plan is that of the last look", async () => {
  const faults = (...says: string[]) =>
    says.map((one) => ({ kind: "no_check" as const, task: 1, says: one }));
  const look = (...says: string[]) => event("plan.checked", { plan: 1, faults: faults(...says), more: 0 });
  const board = await given(...proposed, look("One.", "Two."), look("Three."));
  expect(board.planFaults.scan()).toMatchObject([{ plan: 1, nth: 1, says: "Three." }]);
});
