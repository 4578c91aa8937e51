import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { expect, test } from "vitest";
import { type Decision, decide } from "../../../src/decisions/decide.ts";
import { AGENT_CLIENT, isNameOfPerson } from "../../../src/events/actors.ts";
import { signalsContext } from "../../../src/mcp/context.ts";
import { hostSession } from "../../../src/mcp/host-session.ts";
import { acceptTask } from "../../../src/operations/acceptance.ts";
import { decideOnGates } from "../../../src/operations/gates.ts";
import { dismissItem } from "../../../src/operations/inbox.ts";
import { startSession } from "../../../src/operations/sessions.ts";
import { changeTask, createTask } from "../../../src/operations/tasks.ts";
import { pauseWork } from "../../../src/operations/work.ts";
import { freshProject, givenConfig } from "../../support/project.ts";
import { connectHere, newClient } from "../eras/clients.ts";
import { ASK, CLOSE, FORMS } from "./given.ts";

/* Catches: an agent that is its own client, and answers itself as a human would. */

async function given(isSandboxed: boolean) {
  const { project, folder, db } = await freshProject();
  await project.decide(createTask({ title: "Export as CSV" }));
  await project.decide(startSession({ task: 1, session: "s-1" }));
  givenConfig(folder, { answers: { now: true } });
  const launch = { context: signalsContext("s-1", 1), databasePath: db, runsGates: false, isSandboxed };
  const hosted = hostSession(launch, { open: async () => project.store, report: () => {} });
  const types = async () => (await project.log.read(0, 1_000)).map(({ type, actor }) => `${type} ${actor}`);
  return { project, hosted, types };
}

test("in a sandbox no form is put to an agent's client, which would be the agent itself", async () => {
  const { hosted, types } = await given(true);
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await hosted.connect(theirs);
  const agent = new Client({ name: "test", version: "1" }, { capabilities: FORMS });
  const forms: unknown[] = [];
  agent.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    forms.push(params);
    return { action: "accept", content: { answer: "Yes." } };
  });
  await agent.connect(ours);
  const { structuredContent } = await agent.callTool({ name: "ask", arguments: ASK });
  expect(structuredContent).toMatchObject({ next: CLOSE });
  expect(forms).toEqual([]);
  expect((await types()).at(-1)).toBe("signal.ask agent");
  await agent.close();
});

test("in a sandbox a call of MCP 2026-07-28 does not end with a form, nor takes one that it brings", async () => {
  const { hosted, types } = await given(true);
  const client = newClient("sdk 2 pinned", FORMS);
  const forms: unknown[] = [];
  client.setRequestHandler("elicitation/create", (form) => {
    forms.push(form);
    return { action: "accept", content: { answer: "Yes." } };
  });
  await connectHere(hosted, client);
  for (const inputResponses of [undefined, { answer: { action: "accept", content: { answer: "Yes." } } }])
    await client.callTool({ name: "ask", arguments: ASK, ...(inputResponses && { inputResponses }) });
  expect(forms).toEqual([]);
  expect((await types()).filter((type) => type.startsWith("question"))).toEqual([]);
});

test("elsewhere an answer is the agent's client's, in the log and in what is known of the question", async () => {
  const { project, hosted, types } = await given(false);
  const client = newClient("sdk 2 pinned", FORMS);
  client.setRequestHandler("elicitation/create", () => ({ action: "accept", content: { answer: "Yes." } }));
  await connectHere(hosted, client);
  await client.callTool({ name: "ask", arguments: ASK });
  expect((await types()).at(-1)).toBe("question.answered agent's client");
  expect(await project.queries.sql("SELECT act, actor FROM question_acts")).toEqual([
    { act: "answered", actor: "agent's client" },
  ]);
});

test.each<[string, Decision]>([
  ["a gate", decideOnGates({ task: 1, approve: true })],
  ["a done that a human must accept", acceptTask({ task: 1 })],
  ["a pause", pauseWork({})],
  ["the fields of a task", changeTask({ task: 1, title: "Another" })],
  ["a question, but by an answer", dismissItem({ id: 1 })],
])("no form of an agent's client decides %s", async (_what, decision) => {
  const { project } = await given(false);
  const head = await project.log.head();
  const decided = decide(project.store, decision, { actor: AGENT_CLIENT });
  await expect(decided).rejects.toThrow("An agent's client can only answer questions.");
  expect(await project.log.head()).toBe(head);
});

test("no person has the name under which an agent's client answers", () => {
  expect([AGENT_CLIENT, "Agent's Client", `${AGENT_CLIENT}: ada`].map(isNameOfPerson)).toEqual([
    false,
    false,
    false,
  ]);
  expect(isNameOfPerson("agent's clientele")).toBe(true);
});
