import { expect, test } from "vitest";
import { endSession, startSession } from "../../src/operations/sessions.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { callTool, connectAgent } from "../support/mcp.ts";
import { freshProject } from "../support/project.ts";

async function given() {
  const { project } = await freshProject();
  await project.decide(createTask({ title: "Export as CSV" }));
  await project.decide(startSession({ task: 1, session: "s-1" }));
  const agent = await connectAgent(project.store, 1, "s-1");
  const report = (state: string, more: object = {}, use?: string) =>
    callTool(agent, "update_session_state", { sessionId: "s-1", state, ...more }, use);
  return { project, agent, report };
}

test("a report of a state answers with the step that it made", async () => {
  const { report } = await given();
  expect((await report("analyzing")).structured).toMatchObject({
    success: true,
    previousState: "idle",
    newState: "analyzing",
    transitionedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
  });
  expect((await report("implementing")).structured).toMatchObject({ previousState: "analyzing" });
});

test("a step that is not regular, or repeats the present state, is recorded and marked irregular", async () => {
  const { project, report } = await given();
  for (const state of ["testing", "testing", "committing", "analyzing"]) await report(state);
  await project.decide(endSession({ session: "s-1", exit: "crashed" }));
  expect(await project.queries.session("s-1")).toMatchObject({
    states: ["idle", "testing", "testing", "committing", "analyzing", "failed"],
    irregular: 3,
  });
});

test("the same report sent again is answered as before and recorded once", async () => {
  const { project, report } = await given();
  const first = await report("analyzing", {}, "toolu_1");
  await report("implementing", {}, "toolu_2");
  const head = await project.log.head();
  expect(await report("analyzing", {}, "toolu_1")).toEqual(first);
  expect(await project.log.head()).toBe(head);
});

test.each([
  ["idle, which nobody reports", { state: "idle" }, "legal values are analyzing"],
  ["done, which follows from the end", { state: "done" }, "legal values are analyzing"],
  ["another session", { sessionId: "s-2" }, 'with sessionId "s-1"'],
  ["metadata that is too long", { metadata: { note: "x".repeat(20_001) } }, "20000 characters"],
])("%s is refused", async (_what, change, message) => {
  const { project, agent } = await given();
  const head = await project.log.head();
  const args = { sessionId: "s-1", state: "testing", ...change };
  const answer = await callTool(agent, "update_session_state", args);
  expect(answer).toMatchObject({ isError: true });
  expect(answer.text).toContain(message);
  expect(await project.log.head()).toBe(head);
});

test("a report for a session that was never started, or that has ended, is refused", async () => {
  const { project, report } = await given();
  const stranger = await connectAgent(project.store, 1, "s-9");
  const unknown = await callTool(stranger, "update_session_state", { sessionId: "s-9", state: "testing" });
  expect(unknown.text).toContain("never started");
  await project.decide(endSession({ session: "s-1", exit: "exited" }));
  expect((await report("testing")).text).toContain("has ended");
});
