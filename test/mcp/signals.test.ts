import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { expect, test } from "vitest";
import type { Project } from "../../src/api/project.ts";
import { deleteTask } from "../../src/operations/delete-task.ts";
import { endSession, startSession } from "../../src/operations/sessions.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { callTool, connectAgent } from "../support/mcp.ts";
import { freshProject } from "../support/project.ts";

async function given(verify: string[] = []): Promise<{ project: Project; agent: Client }> {
  const { project } = await freshProject();
  const gates = verify.map((command) => ({ command, max: 5, timeout_s: 300 }));
  await project.decide(createTask({ title: "Export as CSV", gates }));
  await project.decide(startSession({ task: 1, session: "s-1" }));
  return { project, agent: await connectAgent(project.store, 1, "s-1") };
}

/** One legal call of every verb. */
const CALLS = {
  done: { summary: "All of it." },
  partial: { summary: "Half.", remaining: "The other half." },
  stuck: { reason: "No GPU." },
  ask: { question: "Sync or async?", blocking: true, options: ["sync", "async"], preferred: "sync" },
  flag: { what: "Empty URLs pass.", severity: "warning", category: "bug" },
  learned: { text: "5 MB per origin.", kind: "discovery", rationale: "Measured.", scope: "project" },
  suggest: { what: "An endpoint", kind: "new_task", why: "Needed.", feature: "general" },
  blocked: { on: "Redis", kind: "external", detail: "Nowhere." },
} as const;

test.each(Object.entries(CALLS))("%s is in the log, as called, when the answer comes", async (verb, args) => {
  const { project, agent } = await given();
  const answer = await callTool(agent, verb, args);
  expect(answer.isError).toBe(false);
  expect(JSON.parse(answer.text)).toEqual(answer.structured);
  const position = await project.log.head();
  expect(answer.structured).toMatchObject({ position, recorded: `${verb} on task 1 in session s-1` });
  const [event] = await project.log.read(position - 1, 1);
  expect(event).toMatchObject({
    type: `signal.${verb}`,
    stream: "session-s-1",
    correlation: "s-1",
    actor: "agent",
    payload: { ...args, task: 1, session: "s-1" },
  });
});

test("absent fields are stored as absent, and empty options count as absent", async () => {
  const { project, agent } = await given();
  await callTool(agent, "ask", { question: "Why?", blocking: false, options: [] });
  const [event] = await project.log.read((await project.log.head()) - 1, 1);
  expect(event?.payload).toEqual({ question: "Why?", blocking: false, task: 1, session: "s-1" });
});

test.each([
  ["a missing field", "partial", { summary: "x" }, "`remaining` is missing"],
  ["a blank field", "done", { summary: " \n\t" }, "`summary` is blank"],
  [
    "a value of another type",
    "ask",
    { question: "x", blocking: "yes" },
    '`blocking` is "yes", it must be true or false',
  ],
  [
    "a value that is not legal",
    "flag",
    { what: "x", severity: "high", category: "bug" },
    "legal values are info, warning, blocking",
  ],
  ["a field of another verb", "done", { summary: "x", remaining: "y" }, "it belongs to partial"],
  ["a misspelt field", "done", { sumary: "x" }, "did you mean `summary`"],
  ["a blank option", "ask", { question: "x", blocking: true, options: ["a", " "] }, "`options.1` is blank"],
  ["null for an optional field", "blocked", { on: "x", kind: "external", detail: null }, "`detail` is null"],
  ["half of a surrogate pair", "done", { summary: "x\ud800" }, "half of a surrogate pair"],
  ["the injected task", "done", { summary: "x", task: 2 }, '"task" is not a field of done'],
])("%s is refused with the field named, and nothing is recorded", async (_what, verb, args, message) => {
  const { project, agent } = await given();
  const head = await project.log.head();
  const answer = await callTool(agent, verb, args);
  expect(answer).toMatchObject({ isError: true, structured: undefined });
  expect(answer.text).toContain(message);
  expect(answer.text).toContain(`and call ${verb} again`);
  expect(await project.log.head()).toBe(head);
});

test("a call that the client sends again is answered as before and recorded once", async () => {
  const { project, agent } = await given();
  const first = await callTool(agent, "flag", CALLS.flag, "toolu_1");
  const head = await project.log.head();
  expect(await callTool(agent, "flag", CALLS.flag, "toolu_1")).toEqual(first);
  expect(await project.log.head()).toBe(head);
  const other = await callTool(agent, "flag", { ...CALLS.flag, what: "Something else." }, "toolu_1");
  expect(other).toMatchObject({ isError: true });
  expect(other.text).toContain("an earlier call with the same id had other arguments");
  expect(await project.log.head()).toBe(head);
});

test("an unknown tool is a protocol error", async () => {
  const { agent } = await given();
  await expect(callTool(agent, "finish", {})).rejects.toMatchObject({ code: -32602 });
});

test("done lists the gates that have not passed, and the next steps", async () => {
  const { agent } = await given(["npm test"]);
  const answer = await callTool(agent, "done", CALLS.done);
  expect(answer.text).toContain("gate 1 (npm test) is pending");
  expect(answer.text).toContain("counts as partial");
});

test("a signal after the session's end is recorded, and the answer says that it settles nothing", async () => {
  const { project, agent } = await given();
  await project.decide(endSession({ session: "s-1", exit: "timed_out" }));
  const answer = await callTool(agent, "done", CALLS.done);
  expect(answer.text).toContain("does not settle the task");
  expect(await project.queries.taskRow(1)).toMatchObject({ status: "pending" });
  expect(await project.queries.session("s-1")).toMatchObject({ signals: 0, late: 1 });
});

test("signals of an ended session whose task was deleted are recorded, and settle nothing", async () => {
  const { project, agent } = await given();
  await project.decide(endSession({ session: "s-1", exit: "exited" }));
  await project.decide(deleteTask({ task: 1 }));
  for (const [verb, args] of Object.entries(CALLS)) {
    const answer = await callTool(agent, verb, args);
    expect(answer).toMatchObject({
      isError: false,
      text: expect.stringContaining("does not settle the task"),
    });
  }
  expect(await project.queries.session("s-1")).toMatchObject({ late: 8 });
  expect(await project.queries.inbox({ all: true })).toEqual([]);
});

test("a verb in a session that was never started starts it", async () => {
  const { project } = await freshProject();
  await project.decide(createTask({ title: "Export as CSV", status: "blocked" }));
  const agent = await connectAgent(project.store, 1, "nobody-started-me");
  await callTool(agent, "learned", CALLS.learned);
  expect(await project.queries.taskRow(1)).toMatchObject({
    status: "in_progress",
    open_session: "nobody-started-me",
  });
});

test("a server for an unknown task, or another task's session, records nothing and says why", async () => {
  const { project } = await given();
  await project.decide(createTask({ title: "Another" }));
  const head = await project.log.head();
  const ofNone = await callTool(await connectAgent(project.store, 99, "s-9"), "done", CALLS.done);
  expect(ofNone.text).toContain("there is no task 99");
  const ofOther = await callTool(await connectAgent(project.store, 2, "s-1"), "done", CALLS.done);
  expect(ofOther.text).toContain("session s-1 belongs to task 1");
  expect(await project.log.head()).toBe(head);
});

test("a server of a task with a session that has none records nothing and says why", async () => {
  const { project } = await given();
  const beginning = { session: "s-9", recipe: "braindump", forced: false };
  await project.log.append([{ type: "session.started", actor: "driver", payload: beginning }]);
  const { text } = await callTool(await connectAgent(project.store, 1, "s-9"), "done", CALLS.done);
  expect(text).toContain("session s-9 has no task");
  expect(await project.log.head()).toBe(5);
});

test("a signal while another session of the task is open is late, and the answer says so", async () => {
  const { project } = await given();
  const stranger = await connectAgent(project.store, 1, "s-other");
  for (const verb of ["done", "ask", "learned"] as const) {
    const answer = await callTool(stranger, verb, CALLS[verb]);
    expect(answer.text).toContain("Late: session s-1 of task 1 is open.");
  }
  expect(await project.queries.taskRow(1)).toMatchObject({ status: "in_progress", open_session: "s-1" });
});
