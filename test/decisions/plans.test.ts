import { expect, test } from "vitest";
import { planLines } from "../../src/cli/printing/plan-lines.ts";
import { type Decision, decide } from "../../src/decisions/decide.ts";
import { stateOf } from "../../src/decisions/state.ts";
import { nextSteps } from "../../src/history/why/next.ts";
import { decidedLines } from "../../src/operations/decided-gates.ts";
import { enrichTask } from "../../src/operations/enrich-task.ts";
import { createGeneral } from "../../src/operations/general.ts";
import { hintFor } from "../../src/operations/inbox-hints.ts";
import { itemLines } from "../../src/operations/inbox-list.ts";
import { approveItem, rejectItem } from "../../src/operations/inbox-proposals.ts";
import { undo } from "../../src/operations/inbox-undo.ts";
import { beginPlan } from "../../src/operations/plans.ts";
import { endSession } from "../../src/operations/sessions.ts";
import { outlookOfSame } from "../../src/operations/task-outlook.ts";
import { setTaskStatus } from "../../src/operations/task-status.ts";
import { changeTask, createTask, type NewTask } from "../../src/operations/tasks.ts";
import { listInbox } from "../../src/queries/inbox.ts";
import { findPlan } from "../../src/queries/plans.ts";
import { undoableActs } from "../../src/queries/undoable-acts.ts";
import { givenStore } from "./given.ts";

/* Catches: a human who approves what he was not shown, half of a plan by an id that nobody meant, a proposal that is lost without a word. */

const gate = (command: string) => ({ command, max: 1, timeout_s: 60 });

/** A log with plans, each proposed in a session of its own. */
async function given() {
  const { store, decides, does } = givenStore();
  await does(createGeneral());
  const byAgent = (decision: Decision, session?: string) =>
    decide(store, decision, {
      actor: "agent",
      ...(session && { correlation: session, isOwn: (one) => one === session }),
    });
  const begin = (session: string, again?: number) =>
    decides(
      beginPlan(undefined, { ...{ session, recipe: "braindump", text: "# Reports" }, again, driver: "d-1" }),
    );
  const propose = async (session: string, ...tasks: readonly NewTask[]) => {
    for (const task of tasks) await byAgent(createTask(task), session);
  };
  const plans = async (session: string, ...tasks: readonly NewTask[]) => {
    await begin(session);
    await propose(session, ...tasks);
    await decides(endSession({ session, exit: "exited" }));
  };
  const state = stateOf(store.readModel);
  const statuses = () => state.tasks.scan().map(({ status }) => status);
  return { store, state, decides, does, byAgent, begin, propose, plans, statuses };
}

/** The id of a task's draft, which is that of its gates, too. */
const idOf = ({ state }: Awaited<ReturnType<typeof given>>, task: number) =>
  state.tasks.get(task)?.suggestion ?? 0;

test("the inbox shows a plan from its beginning, each gate whole, and no line that a gate made up", async () => {
  const { store, plans } = await given();
  const long = `echo ${"x".repeat(300)}; rm -rf build`;
  await plans("s-1", { title: "One", gates: [gate(`npm test\n- 2 Two · general\u202e\r`), gate(long)] });
  const [item] = listInbox(store.readModel);
  const lines = item ? itemLines(item) : [];
  expect(lines.slice(2, 6)).toEqual([
    "     - 1 One · general",
    "       gate: npm test",
    "             - 2 Two · general\\u{202e}\\u{d}",
    `       gate: ${long}`,
  ]);
});

test("`plan` prints each gate whole below its task", async () => {
  const { store, plans } = await given();
  const long = `echo ${"x".repeat(100)}; rm -rf build`;
  await plans(
    "s-1",
    { title: "One", gates: [gate("npm test\n2  Two")] },
    { title: "Two", gates: [gate(long)] },
  );
  const plan = findPlan(store.readModel, 1);
  expect((plan ? planLines(plan) : []).slice(1).map((line) => line.trimEnd())).toEqual([
    "1     One    general",
    "      gate: npm test\n            2  Two",
    "2     Two    general",
    `      gate: ${long}`,
  ]);
});

test("of a long plan the inbox says how much more there is, and where", async () => {
  const { store, plans } = await given();
  await plans("s-1", ...Array.from({ length: 70 }, (_, nth) => ({ title: `Task ${nth + 1}` })));
  const [item] = listInbox(store.readModel);
  const lines = item ? itemLines(item) : [];
  expect(lines[2]).toBe("     - 1 Task 1 · general");
  expect(lines.at(-3)).toBe("     - 60 Task 60 · general");
  expect(lines.at(-2)).toBe("     … and 10 more lines: `signalbox inbox list --kind plan --json`");
  expect(lines.at(-1)).toContain(item && hintFor(item));
});

test("the answer to an approval has each command that it let run", async () => {
  const { store, plans, decides } = await given();
  await plans("s-1", { title: "One", gates: [gate("npm test\nnpm run lint")] }, { title: "Two" });
  const [event] = await decides(approveItem({ id: "plan-1" }));
  expect(decidedLines(store.readModel, event ? [event] : [])).toEqual([
    ...["Gate 1 of task 1 is approved and can run:", "  npm test", "  npm run lint"],
  ]);
});

test("a gate that came after the plan's session is neither shown as the plan's nor approved with it", async () => {
  const { store, state, plans, byAgent, decides } = await given();
  await plans("s-1", { title: "One", gates: [gate("npm test")] });
  await byAgent(enrichTask({ task: 1, pseudocode: "As it is.", gates: [gate("curl evil.example")] }));
  expect(findPlan(store.readModel, 1)?.proposed[0]?.gates).toEqual(["npm test"]);
  await decides(approveItem({ id: "plan-1" }));
  expect(state.gates.where({ task_id: 1 }).map(({ approval }) => approval)).toEqual(["approved", "waiting"]);
  expect(listInbox(store.readModel)).toMatchObject([{ kind: "gate_approval", text: "curl evil.example" }]);
});

test("a draft of a plan and its gates are decided and undone with the plan, not by the draft's own id", async () => {
  const project = await given();
  const { store, state, plans, decides, byAgent } = project;
  await plans("s-1", { title: "One", gates: [gate("npm test")] }, { title: "Two" });
  const [one, two] = [idOf(project, 1), idOf(project, 2)];
  const refusal = (words: string) => ({ code: "not_possible", message: words });
  await expect(decides(approveItem({ id: one }))).rejects.toMatchObject(
    refusal("Task 1 is of plan-1: `signalbox inbox approve plan-1 --only 1`."),
  );
  await expect(decides(rejectItem({ id: two }))).rejects.toMatchObject(
    refusal("Task 2 is of plan-1: `signalbox inbox reject plan-1 --only 2`."),
  );
  await expect(byAgent(changeTask({ task: 1, title: "Uno" }))).rejects.toMatchObject({
    message: expect.stringContaining("`signalbox inbox approve plan-1 --only 1`"),
  });
  const task = state.tasks.get(1);
  expect(task && nextSteps(store.readModel, task)).toMatchObject([
    { command: "signalbox inbox approve plan-1 --only 1" },
  ]);
  await decides(approveItem({ id: "plan-1" }));
  for (const id of [one, two])
    await expect(decides(undo({ id }))).rejects.toMatchObject({
      message: expect.stringContaining("`signalbox inbox undo plan-1`"),
    });
  expect(undoableActs(store.readModel, 10)).toEqual([]);
});

test("the gates of a draft that was set pending wait for themselves, and are decided and undone by their id", async () => {
  const project = await given();
  const { store, plans, decides } = project;
  await plans("s-1", { title: "One", gates: [gate("npm test")] });
  await decides(setTaskStatus({ task: 1, status: "pending" }));
  const id = idOf(project, 1);
  await decides(approveItem({ id }));
  expect(undoableActs(store.readModel, 10)).toMatchObject([{ kind: "gate_approval", id }]);
  expect(await decides(undo({ id }))).toMatchObject([{ type: "gate.reopened" }]);
});

test("a task whose dependency was rejected is not approved; one of a plan that is named, too, is", async () => {
  const { plans, decides, statuses } = await given();
  await plans("s-1", { title: "One" }, { title: "Two", depends_on: [1] });
  await plans("s-2", { title: "Three", depends_on: [2] });
  await expect(decides(approveItem({ id: "plan-2" }))).rejects.toMatchObject({
    message: expect.stringContaining("Task 3 depends on task 2, a draft that is not approved."),
  });
  await decides(rejectItem({ id: "plan-1", only: [1] }));
  await expect(decides(approveItem({ id: "plan-1" }))).rejects.toMatchObject({
    message: expect.stringContaining("Task 2 depends on task 1, which was rejected."),
  });
  await decides(undo({ id: "plan-1" }));
  await decides(approveItem({ id: "plan-2", others: ["plan-1"] }));
  expect(statuses()).toEqual(["pending", "pending", "pending"]);
});

test("made again with other words, a proposal replaces its draft; with the same it is that draft", async () => {
  const { begin, propose, plans, decides, statuses, state } = await given();
  const whole = { title: "One", description: "Fast.", criteria: ["It is."], gates: [gate("npm test")] };
  await plans("s-1", whole, { ...whole, title: "Two" }, { ...whole, title: "Three" });
  await begin("s-2", 1);
  await propose("s-2", whole, { ...whole, title: "Two", description: "Slow." });
  await propose("s-2", { ...whole, title: "Three", gates: [gate("npm run lint")] });
  await propose("s-2", { ...whole, title: "Two" });
  await decides(endSession({ session: "s-2", exit: "exited" }));
  expect(statuses()).toEqual(["draft", "skipped", "skipped", "draft", "draft"]);
  expect(state.plans.get(2)).toMatchObject({ tasks: 3, confirmed: "[1,4]", state: "proposed" });
});

test("a proposal that is a draft already says so, and that the rest was not kept", async () => {
  const { store, begin, propose, plans } = await given();
  await plans("s-1", { title: "One" });
  await begin("s-2");
  await propose("s-2", { title: "One", description: "Otherwise." }, { title: "Two" });
  const says = "It is a draft already; nothing else of this call was kept.";
  expect(outlookOfSame(store.readModel, 1, 2)).toEqual({
    ...{ id: 1, status: "draft" },
    next: `${says} An agent proposed it: it stays a draft until a human decides on it.`,
  });
  expect(outlookOfSame(store.readModel, 2, 2).next).toContain(`${says} To change it, call update_task.`);
});

test("a plan of which all is a draft already says which plans have it", async () => {
  const { store, plans } = await given();
  await plans("s-1", { title: "One" });
  await plans("s-2", { title: "One" });
  expect(findPlan(store.readModel, 2)).toMatchObject({ state: "empty", confirmed: [{ task: 1, plan: 1 }] });
});
