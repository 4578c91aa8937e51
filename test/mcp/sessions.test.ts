import { expect, test } from "vitest";
import { startSession } from "../../src/operations/sessions.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { callTool, connectWith } from "../support/mcp.ts";
import { freshProject } from "../support/project.ts";

async function given() {
  const { project } = await freshProject();
  await project.decide(createTask({ title: "Export as CSV" }));
  await project.decide(createTask({ title: "Import", depends_on: [1] }));
  const client = await connectWith(project.store, { recipe: "all", session_id: "my-client" });
  return { project, client };
}

const idIn = (answer: { structured: unknown }) =>
  (answer.structured as { sessionId?: string } | undefined)?.sessionId ?? "";

test("a human's client starts a session, reports in it and ends it, and the task is settled", async () => {
  const { project, client } = await given();
  const started = await callTool(client, "create_ralph_session", { taskId: 1 });
  const sessionId = idIn(started);
  expect(started.structured).toMatchObject({ taskId: 1, state: "idle" });
  expect(await project.queries.taskRow(1)).toMatchObject({ status: "in_progress", open_session: sessionId });
  const state = await callTool(client, "update_session_state", { sessionId, state: "analyzing" });
  expect(state.structured).toMatchObject({ previousState: "idle", newState: "analyzing" });
  const done = await callTool(client, "done", { summary: "All of it." });
  expect(done.structured).toMatchObject({ recorded: `done on task 1 in session ${sessionId}` });
  const ended = await callTool(client, "complete_ralph_session", { sessionId, exit: "exited" });
  expect(ended.structured).toEqual({
    sessionId,
    outcome: "success",
    closing: "done",
    taskId: 1,
    taskStatus: "done",
  });
});

test("the outcome follows from the reports, not from the exit", async () => {
  const { client } = await given();
  const sessionId = idIn(await callTool(client, "create_ralph_session", { taskId: 1 }));
  const ended = await callTool(client, "complete_ralph_session", { sessionId, exit: "exited" });
  expect(ended.structured).toMatchObject({ outcome: "failure", closing: "stuck", taskStatus: "pending" });
});

test("a claimed outcome is refused as unknown field, and nothing ends", async () => {
  const { project, client } = await given();
  const sessionId = idIn(await callTool(client, "create_ralph_session", { taskId: 1 }));
  const head = await project.log.head();
  const answer = await callTool(client, "complete_ralph_session", { sessionId, outcome: "success" });
  expect(answer).toMatchObject({ isError: true });
  expect(answer.text).toContain('"outcome" is not a field of complete_ralph_session');
  expect(answer.text).toContain("`exit` is missing, legal values are exited, crashed, timed_out, cancelled");
  expect(await project.log.head()).toBe(head);
});

test("a task that is not ready is not started, and the answer lists its dependencies", async () => {
  const { client } = await given();
  const answer = await callTool(client, "create_ralph_session", { taskId: 2 });
  expect(answer).toMatchObject({ isError: true });
  expect(answer.text).toContain("waits for 1 of its dependencies (1)");
  expect(answer.text).not.toContain("--force");
});

test("a verb without a session records nothing and says how to get one", async () => {
  const { project, client } = await given();
  const head = await project.log.head();
  const answer = await callTool(client, "learned", { text: "Sorted by date.", kind: "discovery" });
  expect(answer).toMatchObject({ isError: true });
  expect(answer.text).toContain("Call create_ralph_session");
  const state = await callTool(client, "update_session_state", { sessionId: "s-9", state: "testing" });
  expect(state.text).toContain("Call create_ralph_session");
  expect(await project.log.head()).toBe(head);
});

test("verbs report for the session that was started last, phases for the one that they name", async () => {
  const { project, client } = await given();
  await project.decide(createTask({ title: "Print" }));
  const first = idIn(await callTool(client, "create_ralph_session", { taskId: 1 }));
  const second = idIn(await callTool(client, "create_ralph_session", { taskId: 3 }));
  const learned = await callTool(client, "learned", { text: "Sorted by date.", kind: "discovery" });
  expect(learned.text).toContain(`task 3 in session ${second}`);
  const state = await callTool(client, "update_session_state", { sessionId: first, state: "analyzing" });
  expect(state.isError).toBe(false);
  await callTool(client, "complete_ralph_session", { sessionId: second, exit: "exited" });
  const after = await callTool(client, "learned", { text: "Dates are UTC.", kind: "discovery" });
  expect(after.text).toContain(`task 1 in session ${first}`);
});

test("the same start sent again is the same session", async () => {
  const { project, client } = await given();
  const first = await callTool(client, "create_ralph_session", { taskId: 1 }, "toolu_1");
  const head = await project.log.head();
  expect(await callTool(client, "create_ralph_session", { taskId: 1 }, "toolu_1")).toEqual(first);
  expect(await project.log.head()).toBe(head);
});

test("a session that a driver watches is not ended by a tool, and the answer says who ends it", async () => {
  const { project, client } = await given();
  await project.decide(startSession({ task: 1, session: "s-driven", driver: "d-1" }));
  const head = await project.log.head();
  const answer = await callTool(client, "complete_ralph_session", {
    sessionId: "s-driven",
    exit: "cancelled",
  });
  expect(answer).toMatchObject({ isError: true });
  expect(answer.text).toContain("the driver d-1 watches session");
  expect(await project.log.head()).toBe(head);
});
