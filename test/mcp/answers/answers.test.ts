import { expect, test } from "vitest";
import { z } from "zod";
import { openProject, type Project } from "../../../src/api/project.ts";
import { buildPrompt } from "../../../src/loop/prompt/build.ts";
import { answerQuestion, dismissItem } from "../../../src/operations/inbox.ts";
import { endSession } from "../../../src/operations/sessions.ts";
import { callTool } from "../../support/mcp.ts";
import { ASK, aborted, CLOSE, FORMS, givenHuman } from "./given.ts";

/* Catches: an answer that is heard but not recorded, or recorded though nobody gave it; an agent that waits for nobody. */

const typesIn = async (project: Project) => (await project.log.read(0, 1_000)).map(({ type }) => type);

const answersIn = async (project: Project) =>
  (await project.log.read(0, 1_000)).filter(({ type }) => type === "question.answered");

test("the ask is in the log before the human is asked", async () => {
  const { project, agent, human } = await givenHuman();
  const answer = callTool(agent, "ask", ASK);
  const form = await human.form();
  expect((await typesIn(project)).at(-1)).toBe("signal.ask");
  form.answer({ action: "cancel" });
  await answer;
});

test("the human's text is recorded as given at the agent's client, and told to the agent", async () => {
  const { project, agent, human } = await givenHuman();
  const answer = callTool(agent, "ask", { question: "Which port?", blocking: true });
  (await human.form()).answer({ action: "accept", content: { answer: "8080,\nwith TLS." } });
  const position = await project.log.head().then(() => answer.then(() => project.log.head()));
  expect(await answer).toMatchObject({
    isError: false,
    structured: {
      position: position - 1,
      recorded: "ask on task 1 in session s-1",
      answer: "8080,\nwith TLS.",
      next: "A human has answered: go on.",
    },
  });
  expect(await answersIn(project)).toMatchObject([
    {
      position,
      actor: "agent's client",
      correlation: "s-1",
      payload: { task: 1, question: position - 1, answer: "8080,\nwith TLS." },
    },
  ]);
});

test("the client only gets the form, and nothing about it once it is answered", async () => {
  const { agent, human, server, heard, errors } = await givenHuman();
  const answer = callTool(agent, "ask", ASK);
  (await human.form()).answer({ action: "accept", content: { choice: "sync" } });
  await answer;
  await server.leave();
  await callTool(agent, "ask", ASK);
  expect(heard).toEqual(["ping", "elicitation/create"]);
  expect(errors).toEqual([]);
});

test.each([
  ["an option", { choice: "sync" }, "sync"],
  ["an option, and the words left empty", { choice: "sync", answer: " " }, "sync"],
  [
    "words, with an option that the client had filled in",
    { choice: "async", answer: "Neither." },
    "Neither.",
  ],
])("%s is an answer", async (_what, content, said) => {
  const { project, agent, human } = await givenHuman();
  const answer = callTool(agent, "ask", ASK);
  (await human.form()).answer({ action: "accept", content });
  expect((await answer).structured).toMatchObject({ answer: said });
  expect(await answersIn(project)).toMatchObject([{ payload: { answer: said } }]);
});

test.each<[string, unknown, string]>([
  ["declines", { action: "decline" }, "The question was declined."],
  ["closes the form", { action: "cancel" }, "The question was closed without an answer."],
  ["says nothing", { action: "accept", content: { answer: "\n " } }, "The answer was blank"],
  ["sends the form without fields", { action: "accept" }, "The answer was blank"],
  ["chooses what is no option", { action: "accept", content: { choice: "both" } }, "The answer was blank"],
  [
    "writes too much",
    { action: "accept", content: { answer: "x".repeat(100_001) } },
    "not recorded: it is too long",
  ],
  [
    "writes too much, with an option that the client had filled in",
    { action: "accept", content: { choice: "async", answer: "x".repeat(100_001) } },
    "not recorded: it is too long",
  ],
  [
    "writes half a character",
    { action: "accept", content: { answer: "x\ud800" } },
    "The answer was not recorded: it has half of a surrogate pair",
  ],
])(
  "when the human %s, nothing else is recorded, and the agent gets the reason",
  async (_what, result, why) => {
    const { project, agent, human } = await givenHuman();
    const answer = callTool(agent, "ask", ASK);
    (await human.form()).answer(result);
    const { isError, structured } = await answer;
    expect(isError).toBe(false);
    expect(structured).not.toHaveProperty("answer");
    expect(structured).toMatchObject({ next: expect.stringContaining(why) });
    expect(structured).toMatchObject({
      next: expect.stringMatching(/[.] If you cannot go on, call partial now: /),
    });
    expect((await typesIn(project)).at(-1)).toBe("signal.ask");
  },
);

test("a client that cannot ask after all causes one line on stderr, without terminal control characters", async () => {
  const { project, agent, human } = await givenHuman();
  const answer = callTool(agent, "ask", ASK);
  (await human.form()).fail(new Error(`no window \u001b[2J${"x".repeat(1_000)}`));
  const { next } = z.object({ next: z.string() }).parse((await answer).structured);
  expect(next).toContain("The client could not ask: ");
  expect(next).toContain("no window \\u{1b}[2J");
  expect(next.length).toBeLessThan(500);
  expect((await typesIn(project)).at(-1)).toBe("signal.ask");
});

test("after wait_s the agent no longer waits for the human, and the form is withdrawn", async () => {
  const { project, agent, human } = await givenHuman({ config: { answers: { now: true, wait_s: 1 } } });
  const answer = await callTool(agent, "ask", ASK);
  expect(answer.structured).toMatchObject({ next: `No human answered within 1 s. ${CLOSE}` });
  const { takenBack } = await human.form();
  await aborted(takenBack);
  expect((await typesIn(project)).at(-1)).toBe("signal.ask");
});

test.each<[string, Parameters<typeof givenHuman>[0]]>([
  ["the configuration says nothing", { config: {} }],
  ["the configuration forbids it", { config: { answers: { now: false } } }],
  ["the client shows no forms", { capabilities: {} }],
  ["the client shows no forms, only addresses", { capabilities: { elicitation: { url: {} } } }],
])("where %s, nobody is asked, and the agent is answered as ever", async (_what, given) => {
  const { agent, human, errors } = await givenHuman(given);
  const { structured } = await callTool(agent, "ask", ASK);
  expect(structured).toEqual({ position: 5, recorded: "ask on task 1 in session s-1", next: CLOSE });
  expect(human.forms).toEqual([]);
  expect(errors).toEqual([]);
});

test("a client from before the modes of elicitation is asked too", async () => {
  const { agent, human } = await givenHuman({ capabilities: { elicitation: {} } });
  const answer = callTool(agent, "ask", ASK);
  (await human.form()).answer({ action: "accept", content: { choice: "sync" } });
  expect((await answer).structured).toMatchObject({ answer: "sync" });
});

test("with an invalid configuration the ask is recorded, and the fault is reported on stderr", async () => {
  const { project, agent, human, errors } = await givenHuman({ config: { answers: { nwo: true } } });
  const { structured } = await callTool(agent, "ask", ASK);
  expect(structured).toEqual({ position: 5, recorded: "ask on task 1 in session s-1", next: CLOSE });
  expect((await typesIn(project)).at(-1)).toBe("signal.ask");
  expect(errors).toEqual([expect.stringContaining("answers.nwo: is not a field")]);
  expect(human.forms).toEqual([]);
});

test.each([
  ["a question that does not block", FORMS, { ...ASK, blocking: false }],
  ["a client that shows no forms", {}, ASK],
])("for %s the configuration is not even read", async (_what, capabilities, ask) => {
  const { agent, human, errors } = await givenHuman({ config: { answers: 7 }, capabilities });
  expect((await callTool(agent, "ask", ask)).isError).toBe(false);
  expect(human.forms).toEqual([]);
  expect(errors).toEqual([]);
});

test("an answer given elsewhere is passed to the agent, and the form is withdrawn", async () => {
  const { project, folder, agent, human } = await givenHuman();
  const answer = callTool(agent, "ask", ASK);
  const { takenBack } = await human.form();
  const elsewhere = await openProject(folder);
  await elsewhere.decide(answerQuestion({ id: await project.log.head(), answer: "Sync, with a retry." }));
  await elsewhere.close();
  expect((await answer).structured).toMatchObject({
    answer: "Sync, with a retry.",
    next: "A human has answered: go on.",
  });
  await aborted(takenBack);
  expect(await answersIn(project)).toHaveLength(1);
});

test("of two simultaneous human answers only the first is used and recorded", async () => {
  const { project, agent, human } = await givenHuman();
  const answer = callTool(agent, "ask", ASK);
  const form = await human.form();
  const decided = project.decide(answerQuestion({ id: await project.log.head(), answer: "Elsewhere." }));
  form.answer({ action: "accept", content: { answer: "Here." } });
  await decided.catch(() => {});
  const { structured } = await answer;
  const [recorded, ...more] = await answersIn(project);
  expect(more).toEqual([]);
  expect(recorded?.payload).toMatchObject({
    answer: z.object({ answer: z.string() }).parse(structured).answer,
  });
});

test("a question dismissed meanwhile ends the wait", async () => {
  const { project, agent, human } = await givenHuman();
  const answer = callTool(agent, "ask", ASK);
  const { takenBack } = await human.form();
  const id = await project.log.head();
  await project.decide(dismissItem({ id }));
  expect((await answer).structured).toMatchObject({
    next: "A human closed this question without an answer: decide by yourself and go on.",
  });
  await aborted(takenBack);
});

test("other events do not affect the question", async () => {
  const { project, agent, human } = await givenHuman();
  const answer = callTool(agent, "ask", ASK);
  const form = await human.form();
  await callTool(agent, "learned", { text: "5 MB per origin.", kind: "discovery" });
  await callTool(agent, "ask", { ...ASK, blocking: false });
  await project.decide(answerQuestion({ id: await project.log.head(), answer: "Another one's." }));
  form.answer({ action: "accept", content: { choice: "sync" } });
  expect((await answer).structured).toMatchObject({ answer: "sync" });
});

test("an answer after the session's end is recorded, and the agent is told to stop", async () => {
  const { project, agent, human } = await givenHuman();
  const answer = callTool(agent, "ask", ASK);
  const form = await human.form();
  await project.decide(endSession({ session: "s-1", exit: "timed_out" }));
  expect(await project.queries.taskRow(1)).toMatchObject({ status: "needs_input" });
  form.answer({ action: "accept", content: { choice: "sync" } });
  expect((await answer).structured).toMatchObject({
    answer: "sync",
    next: "A human has answered. The session has ended in the meantime; the next one gets the answer. Stop here.",
  });
  expect(await answersIn(project)).toHaveLength(1);
  expect(await project.queries.taskRow(1)).toMatchObject({ status: "pending" });
});

test("if no answer comes before the session's end, the agent is told to stop", async () => {
  const { project, agent, human } = await givenHuman();
  const answer = callTool(agent, "ask", ASK);
  const form = await human.form();
  await project.decide(endSession({ session: "s-1", exit: "timed_out" }));
  form.answer({ action: "decline" });
  expect((await answer).structured).toMatchObject({
    next: "The question was declined. The session has ended in the meantime. Stop here.",
  });
});

test("a late ask shows no form", async () => {
  const { project, agent, human } = await givenHuman();
  await project.decide(endSession({ session: "s-1", exit: "exited" }));
  const { text } = await callTool(agent, "ask", ASK);
  expect(text).toContain("does not settle the task");
  expect(human.forms).toEqual([]);
});

test("the next prompt quotes an answer that was given at a client as data, and says where it comes from", async () => {
  const { project, agent, human } = await givenHuman();
  const answer = callTool(agent, "ask", ASK);
  (await human.form()).answer({ action: "accept", content: { answer: "Sync.\nWith a retry." } });
  await answer;
  await callTool(agent, "partial", { summary: "Half.", remaining: "The other half." });
  await project.decide(endSession({ session: "s-1", exit: "exited" }));
  expect(await project.queries.taskRow(1)).toMatchObject({ status: "pending" });
  const { text } = buildPrompt(project.store.readModel, { task: 1, tokens: 12_000, session: undefined });
  expect(text).toContain("# Answers to questions of this task");
  expect(text).toMatch(
    /^> Sync or async\?\n(?:.*\n)*It was answered through the client.*\n> ANSWER to your question \d+: Sync\.\n> With a retry\.$/m,
  );
});
