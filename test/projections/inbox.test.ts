import { expect, test, vi } from "vitest";
import type { Decision } from "../../src/decisions/decide.ts";
import { stateOf } from "../../src/decisions/state.ts";
import { deleteTask } from "../../src/operations/delete-task.ts";
import { enrichTask } from "../../src/operations/enrich-task.ts";
import { decideOnGates } from "../../src/operations/gates.ts";
import { approveItem } from "../../src/operations/inbox-proposals.ts";
import { undo } from "../../src/operations/inbox-undo.ts";
import { endSession, startSession } from "../../src/operations/sessions.ts";
import { setTaskStatus } from "../../src/operations/task-status.ts";
import { createTask, changeTask as setTask } from "../../src/operations/tasks.ts";
import { countInbox, findInInbox, inboxKeyAt, inboxPage, listInbox } from "../../src/queries/inbox.ts";
import { undoableActs } from "../../src/queries/undoable-acts.ts";
import { build, DECLARED, declared, lint } from "../decisions/gate-cases.ts";
import { DRAFT, givenProject, type Happens, PROPOSAL, QUESTION } from "../decisions/given.ts";
import { givenEveryKind } from "../web/support/given-inbox.ts";

/* Catches: words shown to a human that are not those which an approval puts to work. */

async function shown(...before: readonly Decision[]) {
  const { store, does } = await givenProject();
  await does(...before);
  return listInbox(store.readModel).find(({ id }) => id === PROPOSAL);
}

const asProposed = { text: "Export as XML", detail: "It was asked for." };

test("a proposal has its draft's title and description, and no mark while unchanged", async () => {
  expect(await shown()).toMatchObject({ other_task: DRAFT, ...asProposed, changed: [] });
  expect(await shown(createTask({ title: "Three" }), setTask({ task: 2, title: "Zwei" }))).toMatchObject({
    ...asProposed,
    changed: [],
  });
});

test("a proposal with an edited draft shows the current text, and the changed fields", async () => {
  expect(await shown(setTask({ task: DRAFT, title: "Export as YAML", description: "" }))).toMatchObject({
    text: "Export as YAML",
    detail: null,
    changed: ["title", "description"],
  });
});

test("a proposal that was changed back has no mark", async () => {
  const { text: title, detail: description } = asProposed;
  const item = await shown(
    setTask({ task: DRAFT, title: "Export as YAML", description: "" }),
    setTask({ task: DRAFT, title, description }),
  );
  expect(item).toMatchObject({ ...asProposed, changed: [] });
});

test("fields added to a proposal are marked", async () => {
  const fill = enrichTask({ task: DRAFT, pseudocode: "for each order", context_files: ["src/xml.ts"] });
  expect(await shown(fill)).toMatchObject({ ...asProposed, changed: ["context_files", "pseudocode"] });
  const plan = { criteria: ["Valid."], tags: ["xml"], output_artifacts: ["out.xml"], hints: "See XSD." };
  expect(await shown(setTask({ task: DRAFT, ...plan }))).toMatchObject({ changed: Object.keys(plan) });
});

test("nothing else is marked", async () => {
  const { store } = await givenProject();
  expect(listInbox(store.readModel).find(({ id }) => id === QUESTION)).toMatchObject({ changed: [] });
});

const started = startSession({ task: DRAFT, session: "s-2", force: true });
const saidDone = { session: "s-2", task: DRAFT, verb: "done", args: { summary: "Exported." } } as const;

test.each([
  ["a driver started it by force", [started]],
  ["its task is done then", [started, saidDone, endSession({ session: "s-2", exit: "exited" })]],
  ["a verb started it in a session that nobody had started", [saidDone]],
] satisfies [string, Happens[]][])("a draft is no proposal any more where %s", async (_how, before) => {
  const { store, does } = await givenProject();
  await does(...before);
  expect(listInbox(store.readModel).filter(({ kind }) => kind === "proposal")).toEqual([]);
  expect(stateOf(store.readModel).suggestions.get(PROPOSAL)?.state).toBe("approved");
});

async function approvals(...before: readonly Happens[]) {
  const { store, does } = await givenProject();
  await does(...before);
  return listInbox(store.readModel).filter(({ kind }) => kind === "gate_approval");
}

const script = "cd web\nnpm run lint -- --max-warnings 0";
const several = { byAgent: createTask({ title: "Four", gates: [{ ...lint, command: script }, build] }) };

test("each gate declaration of an agent is one item with all of its commands in full", async () => {
  const one = { kind: "gate_approval", state: "waiting", task: 2, session: null };
  expect(await approvals(declared)).toMatchObject([
    { ...one, id: DECLARED, gate: 1, text: lint.command, task_title: "Two" },
    { ...one, id: DECLARED + 1, gate: 2, text: build.command },
  ]);
  expect(await approvals(several)).toMatchObject([
    { ...one, id: DECLARED, task: 4, gate: null, text: `gate 1: ${script}\ngate 2: npm run build` },
  ]);
});

test("an item shows a declaration's undecided gates, and undone ones again", async () => {
  const decided = decideOnGates({ task: 4, gate: 1, approve: false });
  expect(await approvals(several, decided)).toMatchObject([{ id: DECLARED, gate: 2, text: build.command }]);
  const all = [several, approveItem({ id: DECLARED })];
  expect(await approvals(...all)).toEqual([]);
  expect(await approvals(...all, undo({ id: DECLARED }))).toMatchObject([{ gate: null }]);
});

test("gates declared together are not undoable once a session has read the decision on one", async () => {
  const { store, does } = await givenProject();
  const [first, second] = [1, 2].map((gate) => decideOnGates({ task: 4, gate, approve: true }));
  if (!first || !second) throw new Error("There are two gates.");
  await does(several, first);
  expect(undoableActs(store.readModel, 9)).toMatchObject([{ id: DECLARED, read_by: null }]);
  const session = "s-4";
  await does(
    startSession({ task: 4, session, force: true }),
    endSession({ session, exit: "exited" }),
    second,
  );
  expect(undoableActs(store.readModel, 9)).toEqual([]);
  const state = stateOf(store.readModel);
  expect(() => undo({ id: DECLARED }).plan(state)).toThrow("a session of its task has started");
});

test("undoable acts are searched among the newest acts, with indexes", async () => {
  const { readModel } = (await givenProject()).store;
  const prepared = vi.spyOn(readModel.database, "prepare");
  undoableActs(readModel, 9);
  const [sql = ""] = prepared.mock.calls[0] ?? [];
  const plan = readModel.database.prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all();
  const by = plan.flatMap(({ detail }) => / INDEX (\w+)__by_act /.exec(detail)?.[1] ?? []);
  expect(by.sort()).toEqual(["blockers", "flags", "gates", "questions", "suggestions"]);
  expect(plan.filter(({ detail }) => /^SCAN (questions|blockers|flags|s|gates|t)$/.test(detail))).toEqual([]);
});

test("there is nothing to approve for a done, skipped or deleted task, or a human's gates", async () => {
  for (const status of ["done", "skipped"] as const) {
    expect(await approvals(several, setTaskStatus({ task: 4, status }))).toEqual([]);
  }
  expect(await approvals(several, deleteTask({ task: 4 }))).toEqual([]);
  expect(await approvals(createTask({ title: "Four", gates: [lint] }))).toEqual([]);
});

test("the inbox's first item, count and single items match the whole list", async () => {
  const { store } = await givenEveryKind();
  const { readModel } = store;
  const all = listInbox(readModel);
  expect(new Set(all.map(({ kind }) => kind)).size).toBe(9);
  for (const [place, limit] of [
    [0, 1],
    [0, 3],
    [2, 3],
    [0, all.length],
    [all.length, 1],
  ] as const)
    expect(inboxPage(readModel, { after: inboxKeyAt(readModel, place), limit }).rows).toEqual(
      all.slice(place, place + limit),
    );
  const newest = all.reduce((a, b) => (a.id > b.id ? a : b));
  const kinds = [...new Set(all.map(({ kind }) => kind))];
  expect(countInbox(readModel)).toEqual({
    total: all.length,
    blocking: all.filter(({ blocks_work }) => blocks_work).length,
    kinds: kinds.map((kind) => ({ kind, items: all.filter((item) => item.kind === kind).length })),
    newest: { kind: newest.kind, id: newest.id },
  });
  for (const item of all) expect(findInInbox(readModel, item)).toEqual(item);
  expect(findInInbox(readModel, { kind: "flag", id: newest.id + 1 })).toBeUndefined();
});
