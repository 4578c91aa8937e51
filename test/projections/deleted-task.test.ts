import { beforeEach, expect, test } from "vitest";
import type { Decision } from "../../src/decisions/decide.ts";
import { stateOf } from "../../src/decisions/state.ts";
import { buildPrompt } from "../../src/loop/prompt/build.ts";
import { addComment } from "../../src/operations/comments.ts";
import { deleteTask } from "../../src/operations/delete-task.ts";
import { recordGateAttempt } from "../../src/operations/gates.ts";
import { resolveBlocker } from "../../src/operations/inbox.ts";
import { approveSuggestion } from "../../src/operations/inbox-proposals.ts";
import { undo } from "../../src/operations/inbox-undo.ts";
import { endSession, startSession } from "../../src/operations/sessions.ts";
import { changeTask, createTask } from "../../src/operations/tasks.ts";
import { listSessions } from "../../src/queries/find-sessions.ts";
import { listInbox } from "../../src/queries/inbox.ts";
import { overview } from "../../src/queries/overview.ts";
import { repeatingTasks } from "../../src/queries/repetitions.ts";
import { readyTasks, taskDetails } from "../../src/queries/tasks.ts";
import { renderLearnings } from "../../src/workspace/state-files/render-learnings.ts";
import { renderProgress } from "../../src/workspace/state-files/render-progress.ts";
import { BLOCKER, DRAFT, type Given, givenProject, PROPOSAL, type Said } from "../decisions/given.ts";

/* What readers say of rows that name a task which is not there any more. Catches: an item that vanishes with another's task. */

let given: Given;
const rows = () => given.store.readModel;
const said = (session: string, task: number, verb: Said["verb"], args: Said["args"]): Said => ({
  session,
  task,
  verb,
  args,
});

beforeEach(async () => {
  given = await givenProject();
});

/** Task 1 goes, with the question, the blocker and the gate that held it. */
async function withoutTheFirst(...before: readonly (Decision | Said)[]): Promise<void> {
  await given.does(...before, changeTask({ task: 2, depends_on: [] }), deleteTask({ task: 1 }));
}

test("the inbox has nothing of it, also of what was only information", async () => {
  await given.does(
    recordGateAttempt({ task: 1, gate: 1, exit_code: 1 }),
    startSession({ task: 1, session: "s-2", force: true }),
    said("s-2", 1, "ask", { question: "Really?", blocking: false }),
    said("s-2", 1, "flag", { what: "Broken.", severity: "blocking", category: "bug" }),
    endSession({ session: "s-2", exit: "exited" }),
  );
  const kinds = (all: boolean) => listInbox(rows(), { all }).map(({ kind }) => kind);
  expect(kinds(true).sort()).toEqual(["blocker", "flag", "gate", "proposal", "question", "question"]);
  await withoutTheFirst();
  expect(kinds(true)).toEqual(["proposal"]);
  expect(kinds(false)).toEqual(["proposal"]);
});

test("a proposal that was made on it waits under its draft, and can be decided and taken back", async () => {
  const proposal = { id: PROPOSAL, kind: "proposal", other_task: DRAFT, text: "Export as XML" };
  expect(listInbox(rows())).toContainEqual(
    expect.objectContaining({ ...proposal, task: 1, task_title: "One" }),
  );
  await withoutTheFirst();
  const waiting = [expect.objectContaining({ ...proposal, task: DRAFT, task_title: "Export as XML" })];
  expect(listInbox(rows())).toEqual(waiting);
  await given.does(approveSuggestion({ id: PROPOSAL }));
  expect(listInbox(rows())).toEqual([]);
  await given.does(undo({ id: PROPOSAL }));
  expect(listInbox(rows())).toEqual(waiting);
});

test("a proposal whose draft it was waits no longer", async () => {
  await given.does(deleteTask({ task: DRAFT }));
  expect(listInbox(rows()).map(({ kind }) => kind)).toEqual(["question", "blocker"]);
});

test("what contested it is not shown any more", async () => {
  await given.does(
    createTask({ title: "Done", status: "done" }),
    startSession({ task: 2, session: "s-2", force: true }),
    said("s-2", 2, "blocked", { on: "task 4", kind: "upstream_task" }),
    endSession({ session: "s-2", exit: "exited" }),
  );
  const contests = () => listInbox(rows()).filter(({ kind }) => kind === "contest");
  expect(contests()).toHaveLength(1);
  await given.does(deleteTask({ task: 4 }));
  expect(contests()).toEqual([]);
});

test("a blocker of another task whose link was taken back waits unlinked when that is undone", async () => {
  const { length: before } = await given.store.log.read(0, 100);
  await given.does(
    createTask({ title: "Four" }),
    startSession({ task: 2, session: "s-2", force: true }),
    said("s-2", 2, "blocked", { on: "task 4", kind: "upstream_task" }),
    endSession({ session: "s-2", exit: "exited" }),
  );
  const id = before + 3;
  expect(taskDetails(rows(), 4)?.dependents).toEqual([{ id: 2, title: "Two", status: "blocked" }]);
  await given.does(resolveBlocker({ id }), deleteTask({ task: 4 }), undo({ id }));
  expect(taskDetails(rows(), 2)).toMatchObject({
    status: "blocked",
    depends_on: [1],
    dependencies: [{ id: 1 }],
  });
  expect(listInbox(rows())).toContainEqual(expect.objectContaining({ id, kind: "blocker", state: "open" }));
  expect(buildPrompt(rows(), { task: 2, tokens: 12_000 }).text).toContain("number 2");
});

test("counts, ready tasks, overview and progress are those of the other tasks, and its sessions stay", async () => {
  await withoutTheFirst(addComment({ task: 1, author: "human", body: "Nice." }));
  expect(overview(rows(), "2026-01-01")).toMatchObject({ counts: { pending: 1, draft: 1 }, ready: 1 });
  expect(readyTasks(rows()).map(({ id }) => id)).toEqual([2]);
  expect(taskDetails(rows(), 1)).toBeUndefined();
  expect(listSessions(rows(), { task: 1 }).map(({ id }) => id)).toEqual(["s-1"]);
  const progress = renderProgress(rows());
  expect(progress).toContain("Tasks: 1 draft, 1 pending");
  expect(progress).not.toContain("#1 ");
});

test("the views of the seeds keep its history", async () => {
  await withoutTheFirst(addComment({ task: 1, author: "human", body: "Nice." }));
  const count = (view: string, column: string) =>
    rows().database.prepare<[], number>(`SELECT count(*) FROM ${view} WHERE ${column} = 1`).pluck().get();
  expect(count("task_signals", "task_id")).toBe(4);
  expect(count("task_comments", "task_id")).toBe(5);
  expect(count("ralph_sessions", "ticket_id")).toBe(1);
  expect(count("stagnation", "task_id")).toBe(0);
});

test("what it repeated and what it taught is no stumbling block", async () => {
  const partial = { summary: "Half.", remaining: "The rest." };
  for (const session of ["s-2", "s-3"])
    await given.does(
      startSession({ task: 1, session, force: true }),
      said(session, 1, "learned", { text: "Mail goes out at night.", kind: "discovery", scope: "project" }),
      said(session, 1, "partial", partial),
      endSession({ session, exit: "exited" }),
    );
  expect(repeatingTasks(rows())).toHaveLength(1);
  await withoutTheFirst();
  expect(repeatingTasks(rows())).toEqual([]);
  expect(renderLearnings(rows())).toContain("Mail goes out at night.");
  expect(buildPrompt(rows(), { task: 2, tokens: 12_000 }).text).toContain("Mail goes out at night.");
});

test("a blocker of its own is gone with it, whatever a human did to it before", async () => {
  await withoutTheFirst(resolveBlocker({ id: BLOCKER }));
  expect(stateOf(rows()).blockers.get(BLOCKER)).toMatchObject({
    state: "resolved",
    state_without_act: "dismissed",
  });
});
