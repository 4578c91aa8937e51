import { expect, test } from "vitest";
import { stateOf } from "../../src/decisions/state.ts";
import { createGeneral } from "../../src/operations/general.ts";
import { setPolicy } from "../../src/operations/policies.ts";
import { endSession, startSession } from "../../src/operations/sessions.ts";
import { continueTask, splitTask } from "../../src/operations/stalls.ts";
import { setTaskStatus } from "../../src/operations/task-status.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { listInbox } from "../../src/queries/inbox.ts";
import { type Given, givenStore, type Happens, type Said } from "./given.ts";

/*
 * Catches: an agent that takes back what a human is asked, a row that is shown with other sessions than its own, a split that loses or
 * adds dependencies.
 */
type Report = Pick<Said, "verb" | "args">;
const partial = (remaining: string): Report => ({
  verb: "partial",
  args: { summary: "Read it.", remaining },
});

/** A session of task 1. @param to undefined: it has no fingerprints */
function session(id: string, said: readonly Report[], to: string | undefined = "a"): Happens[] {
  return [
    startSession({ task: 1, session: id, force: true, ...(to !== "" && { workspace: "a" }) }),
    ...said.map((report) => ({ session: id, task: 1, ...report })),
    endSession({ session: id, exit: "exited", ...(to !== "" && { workspace: to }) }),
  ];
}

async function given(...more: readonly Happens[]): Promise<Given> {
  const store = givenStore();
  await store.does(createGeneral(), createTask({ title: "Export" }), createTask({ title: "Read" }), ...more);
  return store;
}

const idle = ["s-1", "s-2", "s-3"].flatMap((id) => session(id, [partial(`Said in ${id}.`)]));
const taskRow = ({ store }: Given) => stateOf(store.readModel).tasks.get(1);

test.each(["pending", "blocked", "needs_input", "skipped", "done", "draft"] as const)(
  "an agent cannot set a task %s about whose sessions a human is asked",
  async (status) => {
    const { decides } = await given(...idle);
    await expect(decides({ byAgent: setTaskStatus({ task: 1, status }) })).rejects.toThrow(
      "its sessions did not get on, and only a human decides on that",
    );
  },
);

test.each([
  ["lets no task go on", continueTask({ task: 1 })],
  ["splits no task", splitTask({ task: 1, part: "Read" })],
])("an agent %s", async (_what, byAgent) => {
  const { decides } = await given(...idle);
  await expect(decides({ byAgent })).rejects.toThrow("Only a human lets a task go on");
});

test("a status that an agent sets begins no row anew", async () => {
  const store = await given(...idle.slice(0, 6), { byAgent: setTaskStatus({ task: 1, status: "pending" }) });
  await store.does(...session("s-4", [partial("Still.")]));
  expect(listInbox(store.store.readModel)).toMatchObject([{ kind: "stall", task: 1 }]);
});

test("a task that failed by its stuck count waits for nobody", async () => {
  const stuck = ["s-1", "s-2", "s-3"].flatMap((id) => session(id, []));
  const { decides, store } = await given(...stuck);
  expect(listInbox(store.readModel)).toEqual([]);
  for (const act of [continueTask({ task: 1 }), splitTask({ task: 1, part: "Read" })])
    await expect(decides(act)).rejects.toThrow("does not wait for a human because its sessions");
});

test("the item shows what each session of its row said, and no other", async () => {
  const cancelled: Happens[] = [
    startSession({ task: 1, session: "s-4", force: true, workspace: "a" }),
    endSession({ session: "s-4", exit: "cancelled", workspace: "a" }),
  ];
  const { store } = await given(
    ...session("s-0", [partial("It changed something.")], "b"),
    ...idle.slice(0, 6),
    ...cancelled,
    ...session("s-5", [partial("No fingerprint.")], ""),
    ...idle.slice(6),
  );
  const [item] = listInbox(store.readModel);
  expect(item).toMatchObject({ kind: "stall", text: "3 sessions in a row did not get on" });
  expect(item?.detail?.split("\n")).toEqual(
    ["s-1", "s-2", "s-3"].map(
      (id) => `- session ${id}, changed: nothing. ⊙ **Partial:** Read it. **Remaining:** Said in ${id}.`,
    ),
  );
});

test("of a row of partials the item shows sessions that changed something", async () => {
  const { store } = await given(
    setPolicy({ policy: "partials", value: 2 }),
    ...session("s-1", [partial("Half.")], "b"),
    ...session("s-2", [partial("A quarter.")], "c"),
  );
  const [item] = listInbox(store.readModel);
  expect(item?.text).toBe("2 sessions in a row ended with partial");
  expect(item?.detail).toMatch(/^- session s-1, changed: something\..*Half\.\n- session s-2, .*A quarter\.$/);
});

test("a question that was answered before its session's end counts as opened", async () => {
  const asks: Report = { verb: "ask", args: { question: "Which?", blocking: true } };
  const store = await given(...idle.slice(0, 6));
  await store.does(...session("s-4", [asks, partial("The rest.")]));
  expect(taskRow(store)).toMatchObject({ no_progress_in_a_row: 0, status: "needs_input" });
});

test("the parts of a split task are done before it, after what it waited for already", async () => {
  const blocked: Report = { verb: "blocked", args: { on: "task 2", kind: "upstream_task" } };
  const { decides, store } = await given(
    createTask({ title: "Declared" }),
    createTask({ title: "Other" }),
    ...session("s-0", [blocked, partial("The rest.")]),
    ...idle,
  );
  const events = await decides(splitTask({ task: 1, part: "Read the orders", others: ["Write the CSV"] }));
  expect(events.map(({ type }) => type)).toEqual([
    "task.continued",
    "task.created",
    "task.created",
    "task.changed",
  ]);
  expect(events.at(-1)?.payload).toEqual({ task: 1, depends_on: [5, 6] });
  // Its blocker holds it still, and takes its own dependency back.
  expect(stateOf(store.readModel).tasks.get(1)).toMatchObject({ status: "blocked", depends_on: "[2,5,6]" });
});

test.each([
  [{ part: "" }, "1 to 20 parts, each with a title"],
  [{ part: "A", others: Array.from({ length: 20 }, (_, nth) => `Part ${nth}`) }, "1 to 20 parts"],
])("a split into %j is refused", async (parts, words) => {
  const { decides } = await given(...idle);
  await expect(decides(splitTask({ task: 1, ...parts }))).rejects.toThrow(words);
});
