import { setImmediate as nextTurn } from "node:timers/promises";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { CallToolResultSchema, type Progress } from "@modelcontextprotocol/sdk/types.js";
import { expect, test } from "vitest";
import type { Project } from "../../../src/api/project.ts";
import { answerQuestion } from "../../../src/operations/inbox.ts";
import { undo } from "../../../src/operations/inbox-undo.ts";
import { callTool } from "../../support/mcp.ts";
import { ASK, aborted, CLOSE, givenHuman } from "./given.ts";

/* Catches: a human who thinks and holds up the agent's other calls, or the end of the server; one question asked twice. */

const countOf = async (project: Project, type: string) =>
  (await project.log.read(0, 1_000)).filter((event) => event.type === type).length;

const say = (answer: string) => ({ action: "accept", content: { answer } });

/** An ask that can be given up, as the agent's tool use `use`; `waits` resolves when it waits for the human. */
function askBy(agent: Client, { use, signal }: { use?: string; signal?: AbortSignal } = {}) {
  const heard: Progress[] = [];
  let hear = () => {};
  const waits = new Promise<void>((resolve) => {
    hear = resolve;
  });
  const onprogress = (progress: Progress) => {
    heard.push(progress);
    hear();
  };
  const params = {
    name: "ask",
    arguments: ASK,
    ...(use !== undefined && { _meta: { "claudecode/toolUseId": use } }),
  };
  const call = agent.callTool(params, CallToolResultSchema, { onprogress, ...(signal && { signal }) });
  return { call, waits, heard };
}

test("other calls are answered while a question waits, and a second question can be asked", async () => {
  const { project, agent, human } = await givenHuman();
  const first = callTool(agent, "ask", ASK);
  const form = await human.form(0);
  const state = await callTool(agent, "update_session_state", { sessionId: "s-1", state: "testing" });
  expect(state.structured).toMatchObject({ newState: "testing" });
  const second = callTool(agent, "ask", { question: "Which port?", blocking: true });
  (await human.form(1)).answer(say("8080"));
  expect((await second).structured).toMatchObject({ answer: "8080" });
  form.answer(say("sync"));
  expect((await first).structured).toMatchObject({ answer: "sync" });
  expect(await countOf(project, "question.answered")).toBe(2);
});

test("calls are recorded in the order in which they came, with a human who thinks and without", async () => {
  const { project, agent, human } = await givenHuman();
  const asked = callTool(agent, "ask", ASK);
  const closed = callTool(agent, "partial", { summary: "Half.", remaining: "Half." });
  expect((await closed).structured).toMatchObject({ position: await project.log.head() });
  const types = (await project.log.read(0, 1_000)).map(({ type }) => type).slice(-2);
  expect(types).toEqual(["signal.ask", "signal.partial"]);
  (await human.form()).answer({ action: "cancel" });
  await asked;
});

test("a call that is sent again while a human thinks waits for the same form", async () => {
  const { project, agent, human } = await givenHuman();
  const first = askBy(agent, { use: "toolu_1" });
  const form = await human.form();
  const again = askBy(agent, { use: "toolu_1" });
  await again.waits;
  form.answer(say("sync"));
  expect(await again.call).toEqual(await first.call);
  expect((await again.call).structuredContent).toMatchObject({ answer: "sync" });
  expect(human.forms).toHaveLength(1);
  expect(await countOf(project, "signal.ask")).toBe(1);
  expect(await countOf(project, "question.answered")).toBe(1);
});

test("a call repeated after the answer gets the same answer, without asking again", async () => {
  const { project, agent, human } = await givenHuman();
  const first = callTool(agent, "ask", ASK, "toolu_1");
  (await human.form()).answer(say("sync"));
  await first;
  const head = await project.log.head();
  expect(await callTool(agent, "ask", ASK, "toolu_1")).toEqual(await first);
  expect(human.forms).toHaveLength(1);
  expect(await project.log.head()).toBe(head);
});

test("a call repeated without an answer, or after the answer was undone, asks again", async () => {
  const { project, agent, human } = await givenHuman();
  const first = callTool(agent, "ask", ASK, "toolu_1");
  (await human.form(0)).answer({ action: "cancel" });
  await first;
  const second = callTool(agent, "ask", ASK, "toolu_1");
  (await human.form(1)).answer(say("sync"));
  expect((await second).structured).toMatchObject({ answer: "sync" });
  const id = (await project.log.head()) - 1;
  await project.decide(undo({ id }));
  const third = callTool(agent, "ask", ASK, "toolu_1");
  (await human.form(2)).answer(say("async"));
  expect((await third).structured).toMatchObject({ position: id, answer: "async" });
  expect(await countOf(project, "signal.ask")).toBe(1);
});

test("a call cancelled by its client stops waiting: the form is withdrawn", async () => {
  const { project, agent, human } = await givenHuman();
  const given = new AbortController();
  const { call } = askBy(agent, { signal: given.signal });
  const { takenBack } = await human.form();
  given.abort("The agent was interrupted.");
  await expect(call).rejects.toThrow("The agent was interrupted.");
  await aborted(takenBack);
  expect(await countOf(project, "question.answered")).toBe(0);
});

test("a call that is sent again keeps the form when the first one is given up", async () => {
  const { agent, human } = await givenHuman();
  const given = new AbortController();
  const first = askBy(agent, { use: "toolu_1", signal: given.signal });
  const form = await human.form();
  const again = askBy(agent, { use: "toolu_1" });
  await again.waits;
  given.abort("The agent was interrupted.");
  await expect(first.call).rejects.toThrow("The agent was interrupted.");
  // What comes behind it is answered when the server has heard that.
  await callTool(agent, "learned", { text: "6 MB per origin.", kind: "discovery" });
  expect(form.takenBack.aborted).toBe(false);
  form.answer(say("sync"));
  expect((await again.call).structuredContent).toMatchObject({ answer: "sync" });
  expect(human.forms).toHaveLength(1);
});

test("when the client disconnects the wait ends, and nothing is recorded", async () => {
  const { project, agent, human, server } = await givenHuman();
  const call = callTool(agent, "ask", ASK).catch((error: Error) => error.message);
  await human.form();
  await agent.close();
  expect(await call).toContain("Connection closed");
  await server.leave();
  expect(await countOf(project, "question.answered")).toBe(0);
});

test("a server whose client disconnected answers waiting calls, and asks no more", async () => {
  const { agent, human, server } = await givenHuman();
  const waiting = callTool(agent, "ask", ASK);
  await human.form();
  const left = server.leave();
  expect((await waiting).structured).toMatchObject({ next: `The client has disconnected. ${CLOSE}` });
  await left;
  const late = await callTool(agent, "ask", ASK);
  expect(late.structured).toMatchObject({ next: `The client has disconnected. ${CLOSE}` });
  expect(human.forms).toHaveLength(1);
});

test("an answer that arrived before the client disconnects is recorded before the server ends", async () => {
  const { project, agent, human, server } = await givenHuman();
  const call = callTool(agent, "ask", ASK);
  (await human.form()).answer(say("sync"));
  while (!(await project.queries.inbox()).every(({ kind }) => kind !== "question")) await nextTurn();
  await server.leave();
  expect((await call).structured).toMatchObject({ answer: "sync" });
});

test("settled does not wait for a human", async () => {
  const { agent, human, server } = await givenHuman();
  const call = callTool(agent, "ask", ASK);
  const form = await human.form();
  await server.settled();
  form.answer(say("sync"));
  await call;
});

test("a client that asked for progress is told that the question waits", async () => {
  const { project, agent, human } = await givenHuman();
  const { call, waits, heard } = askBy(agent);
  const form = await human.form();
  await waits;
  expect(heard).toEqual([
    { progress: 0, message: `Question ${await project.log.head()} is waiting for a human's answer.` },
  ]);
  form.answer(say("sync"));
  await call;
});

test("at most ten forms are open at once", async () => {
  const { project, agent, human } = await givenHuman();
  const asked = Array.from({ length: 10 }, (_, index) =>
    callTool(agent, "ask", { question: `Question ${index}?`, blocking: true }),
  );
  const tenth = await human.form(9);
  expect((await callTool(agent, "ask", ASK)).structured).toMatchObject({
    next: `10 questions are already waiting for a human. ${CLOSE}`,
  });
  tenth.answer({ action: "cancel" });
  await Promise.race(asked);
  const again = callTool(agent, "ask", ASK);
  (await human.form(10)).answer(say("sync"));
  expect((await again).structured).toMatchObject({ answer: "sync" });
  for (const form of human.forms) form.answer({ action: "cancel" });
  await Promise.all(asked);
  expect(await countOf(project, "question.answered")).toBe(1);
});

test("a human at the inbox is as good as one at the client, also for a call that is sent again", async () => {
  const { project, agent, human } = await givenHuman();
  const first = callTool(agent, "ask", ASK, "toolu_1");
  (await human.form()).answer({ action: "decline" });
  await first;
  const id = await project.log.head();
  await project.decide(answerQuestion({ id, answer: "By the inbox." }));
  const again = await callTool(agent, "ask", ASK, "toolu_1");
  expect(again.structured).toMatchObject({ position: id, answer: "By the inbox." });
  expect(human.forms).toHaveLength(1);
});
