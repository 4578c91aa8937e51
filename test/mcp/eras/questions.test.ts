import type { Client, ElicitRequestFormParams } from "@modelcontextprotocol/client";
import { expect, test } from "vitest";
import { signalsContext } from "../../../src/mcp/context.ts";
import { createServer } from "../../../src/mcp/server.ts";
import { answerQuestion, dismissItem } from "../../../src/operations/inbox.ts";
import { startSession } from "../../../src/operations/sessions.ts";
import { createTask } from "../../../src/operations/tasks.ts";
import { freshProject, givenConfig } from "../../support/project.ts";
import { ASK, CLOSE, FORMS } from "../answers/given.ts";
import { connectHere, newClient } from "./clients.ts";

/*
 * A client that MCP 2026-07-28 has ask its human: the call ends with the form, and is repeated with what was filled in.
 * Catches: a question that is recorded twice, an answer that nobody gave, one that overrides another human's.
 */

type Fill = (form: ElicitRequestFormParams) => Promise<unknown> | unknown;

async function given({ fill = (): unknown => say("sync"), now = true, capabilities = FORMS as object } = {}) {
  const { project, folder, db } = await freshProject();
  await project.decide(createTask({ title: "Export as CSV" }));
  await project.decide(startSession({ task: 1, session: "s-1" }));
  givenConfig(folder, { answers: { now } });
  const serve = () =>
    createServer({ context: signalsContext("s-1", 1), open: async () => project.store, readModelPath: db });
  const client = newClient("sdk 2 pinned", capabilities);
  const forms: ElicitRequestFormParams[] = [];
  const asked: Fill = fill;
  if ("elicitation" in capabilities) {
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      if (!("requestedSchema" in params)) throw new Error("That is no form.");
      forms.push(params);
      // A client can send back anything; what a test says is sent as it is.
      return (await asked(params)) as { action: "cancel" };
    });
  }
  await connectHere(serve(), client);
  const types = async () => (await project.log.read(0, 1_000)).map(({ type }) => type);
  const count = async (type: string) => (await types()).filter((one) => one === type).length;
  return { project, client, forms, types, count, serve };
}

const say = (answer: string) => ({ action: "accept", content: { answer } });
const ask = (client: Client, use?: string) =>
  client.callTool({
    name: "ask",
    arguments: ASK,
    ...(use !== undefined && { _meta: { "claudecode/toolUseId": use } }),
  });

/** Asks, and leaves the form to others. @returns the name of the call, for its repetition */
async function begin(client: Client): Promise<unknown> {
  const ended: object = await client.callTool({ name: "ask", arguments: ASK }, { allowInputRequired: true });
  expect(ended).toMatchObject({ inputRequests: { answer: { method: "elicitation/create" } } });
  return "requestState" in ended ? ended.requestState : undefined;
}

test.each([undefined, "toolu_1"])(
  "a call with the tool use %s ends with the form, and its repetition with the human's answer",
  async (use) => {
    const { project, client, forms, count } = await given();
    const answer = await ask(client, use);
    expect(forms).toMatchObject([{ message: expect.stringContaining("> Sync or async?") }]);
    expect(answer.structuredContent).toMatchObject({
      position: (await project.log.head()) - 1,
      answer: "sync",
      next: "A human has answered: go on.",
    });
    expect(await count("signal.ask")).toBe(1);
    expect((await project.log.read(0, 1_000)).at(-1)).toMatchObject({
      type: "question.answered",
      actor: "agent's client",
      correlation: "s-1",
      payload: { task: 1, answer: "sync" },
    });
  },
);

test("the ask is in the log before the human sees the form", async () => {
  const seen: string[][] = [];
  const look: { types?: () => Promise<string[]> } = {};
  const { client, types } = await given({
    fill: async () => {
      seen.push((await look.types?.()) ?? []);
      return { action: "cancel" };
    },
  });
  look.types = types;
  await ask(client);
  expect(seen).toMatchObject([expect.arrayContaining(["signal.ask"])]);
});

test.each([
  [{ action: "decline" }, "The question was declined."],
  [{ action: "cancel" }, "The question was closed without an answer."],
  [{ action: "accept", content: { answer: " " } }, "The answer was blank."],
])("a form that comes back as %j is no answer", async (filled, why) => {
  const { client, count } = await given({ fill: () => filled });
  expect((await ask(client)).structuredContent).toMatchObject({ next: `${why} ${CLOSE}` });
  expect(await count("question.answered")).toBe(0);
});

test.each(["answered", "dismissed"])(
  "a human at the inbox who has %s the question meanwhile stands",
  async (how) => {
    const act = how === "answered" ? answerQuestion : dismissItem;
    const elsewhere: { decide?: () => Promise<unknown> } = {};
    const { project, client, count } = await given({
      fill: async () => {
        await elsewhere.decide?.();
        return say("sync");
      },
    });
    elsewhere.decide = async () =>
      project.decide(act({ id: await project.log.head(), answer: "By the inbox." }));
    const { structuredContent } = await ask(client);
    expect(await count("question.answered")).toBe(how === "answered" ? 1 : 0);
    if (how === "answered") expect(structuredContent).toMatchObject({ answer: "By the inbox." });
    else expect(structuredContent).not.toHaveProperty("answer");
  },
);

test("a repetition reaches the question through another server of the session", async () => {
  const { client, serve, count } = await given();
  const requestState = await begin(client);
  const other = await connectHere(serve(), newClient("sdk 2 pinned", FORMS));
  const repeated = { name: "ask", arguments: ASK, inputResponses: { answer: say("sync") }, requestState };
  const answer = await other.callTool(repeated);
  expect(answer.structuredContent).toMatchObject({ answer: "sync" });
  expect(await count("signal.ask")).toBe(1);
});

test("a forged repetition is no other call, and other arguments under a call's name are refused", async () => {
  const { client, count } = await given();
  const requestState = await begin(client);
  const inputResponses = { answer: say("yes") };
  const asked = { ...ASK, question: "Delete it?" };
  const forged = { name: "ask", arguments: asked, inputResponses, requestState };
  const other = await client.callTool(forged);
  expect(other).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining("other arguments") }],
  });
  expect(await count("signal.ask")).toBe(1);
  expect(await count("question.answered")).toBe(0);
});

test("an answer that comes with the first call is not taken: nobody was asked", async () => {
  const { client, forms, count } = await given({ fill: () => ({ action: "decline" }) });
  const early = { name: "ask", arguments: ASK, inputResponses: { answer: say("sync") } };
  await client.callTool(early);
  expect(forms).toHaveLength(1);
  expect(await count("question.answered")).toBe(0);
});

test("a question that needs no answer, a client without forms and a project without answers ask nobody", async () => {
  const { client, forms } = await given();
  await client.callTool({ name: "ask", arguments: { ...ASK, blocking: false } });
  expect(forms).toHaveLength(0);
  const formless = await given({ capabilities: {} });
  expect((await ask(formless.client)).structuredContent).toMatchObject({ next: CLOSE });
  const off = await given({ now: false });
  expect((await ask(off.client)).structuredContent).toMatchObject({ next: CLOSE });
  expect(off.forms).toHaveLength(0);
});
