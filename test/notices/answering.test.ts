import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { answerQuestion } from "../../src/operations/inbox.ts";
import { undo } from "../../src/operations/inbox-undo.ts";
import { answering } from "../../src/outside/notices/answering.ts";
import { type AnswerRight, answerTokens } from "../../src/outside/notices/token.ts";
import { givenConfig, writeConfig } from "../support/project.ts";
import { asks, givenProject, WEBHOOK } from "./given.ts";

/* Catches: an answer by somebody who may not give it, recorded twice, or recorded for an item that was settled. */

const PEOPLE = { ada: { role: "answer", slack: "U1" }, ben: { role: "watch" } };

async function givenQuestion(people: object = PEOPLE) {
  const given = await givenProject({ people, notices: { channels: { team: WEBHOOK } } });
  const { events } = await given.project.log.append([asks("Sync or async?", ["sync", "async"])]);
  const id = events[0]?.position ?? 0;
  const { overHttp, onChannel } = answering(given.project, given.db);
  const post = async (body: unknown, type = "application/json") => {
    const response = await overHttp(
      new Request("http://127.0.0.1/notices/answer", {
        method: "POST",
        headers: { "content-type": type },
        body: typeof body === "string" ? body : JSON.stringify(body),
      }),
    );
    const { message } = (await response.json()) as { message: string };
    return { status: response.status, message };
  };
  const tokens = answerTokens(given.db);
  const right: AnswerRight = { kind: "question", id, task: 1, person: "ada" };
  const acts = async () =>
    (await given.project.log.read(id, 100)).filter(({ type }) => type.startsWith("question."));
  return { ...given, id, post, onChannel, right, token: tokens.make(right), tokens, acts };
}

test("a token's answer is recorded as its person's, once, however often it is sent", async () => {
  const { post, token, acts } = await givenQuestion();
  const answer = { token, act: "answer", text: "sync" };
  expect(await Promise.all([post(answer), post(answer), post(answer)])).toEqual(
    Array(3).fill({ status: 200, message: "Recorded as ada's: answer." }),
  );
  expect(await acts()).toMatchObject([
    {
      type: "question.answered",
      actor: "ada",
      via: { channel: "notice", program: "http" },
      payload: { answer: "sync" },
    },
  ]);
  expect(await post({ ...answer, text: "async" })).toMatchObject({
    status: 409,
    message: expect.stringContaining("used before"),
  });
  expect(await acts()).toHaveLength(1);
});

test("of a thousand forged tokens none is accepted", async () => {
  const { post, token, acts, right, tokens, folder } = await givenQuestion();
  const [head = "", mac = ""] = token.split(".");
  const other = await givenQuestion();
  const forged = [
    ...Array.from({ length: 400 }, () => `${head}.${randomBytes(32).toString("base64url")}`),
    ...Array.from({ length: 400 }, (_, bit) => `${head}.${flipped(mac, bit % 256)}`),
    ...Array.from({ length: 100 }, (_, more) => {
      const payload = JSON.stringify(["question", right.id + more + 1, 1, "ada"]);
      return `sba_${Buffer.from(payload).toString("base64url")}.${mac}`;
    }),
    ...["own", "root", "ben", null].map(
      (person) =>
        `sba_${Buffer.from(JSON.stringify(["question", right.id, 1, person])).toString("base64url")}.${mac}`,
    ),
    ...Array.from({ length: 93 }, (_, cut) => token.slice(0, cut % token.length)),
    "",
    `${token}=`,
    other.token,
  ];
  expect(forged).toHaveLength(1_000);
  for (const one of forged) expect((await post({ token: one, act: "answer", text: "x" })).status).toBe(403);
  expect(await acts()).toEqual([]);
  expect(folder).not.toBe(other.folder);
  expect(tokens.make(right)).toBe(token);
});

function flipped(mac: string, bit: number): string {
  const bytes = Buffer.from(mac, "base64url");
  bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return bytes.toString("base64url");
}

test("an item that waits again takes no token that was used", async () => {
  const { project, post, token, id, acts } = await givenQuestion();
  const answer = { token, act: "answer", text: "sync" };
  await post(answer);
  expect(await acts()).toHaveLength(1);
  await project.decide(undo({ id }));
  expect(await post(answer)).toMatchObject({ status: 409, message: expect.stringContaining("used before") });
});

test("a settled item says who was too late, and nothing is recorded", async () => {
  const { project, post, token, id, acts } = await givenQuestion();
  await project.decide(answerQuestion({ id, answer: "async" }));
  expect(await post({ token, act: "answer", text: "sync" })).toMatchObject({
    status: 410,
    message: expect.stringMatching(/settled meanwhile.*Nothing was recorded/),
  });
  expect(await acts()).toHaveLength(1);
});

test("a person who was removed or may only watch is refused from the next request on", async () => {
  const { folder, post, token, tokens, right, acts } = await givenQuestion();
  const ofBen = tokens.make({ ...right, person: "ben" });
  expect(await post({ token: ofBen, act: "answer", text: "x" })).toEqual({
    status: 403,
    message: "ben has the role watch; this needs answer. Nothing was recorded.",
  });
  givenConfig(folder, { people: { ben: { role: "watch" } } });
  expect(await post({ token, act: "answer", text: "x" })).toMatchObject({
    status: 403,
    message: expect.stringContaining("ada is not among the people"),
  });
  expect(await acts()).toEqual([]);
});

test("on a channel that names the account, the account's person acts, and nobody else's token helps", async () => {
  const { onChannel, tokens, right, token, acts } = await givenQuestion();
  const open = tokens.make({ kind: right.kind, id: right.id, task: right.task });
  const act = { token: open, act: "answer", text: "sync" };
  expect(await onChannel({ ...act, account: "U9" }, "slack")).toContain("Nobody among the people");
  expect(
    await onChannel({ ...act, token: tokens.make({ ...right, person: "ben" }), account: "U1" }, "slack"),
  ).toContain("another person's");
  expect(await acts()).toEqual([]);
  expect(await onChannel({ ...act, account: "U1" }, "slack")).toBe("Recorded as ada's: answer.");
  expect(await acts()).toMatchObject([{ actor: "ada", via: { channel: "notice", program: "slack" } }]);
  expect(token).not.toBe(open);
});

test("a gate is not approved by a token: its command must be seen whole", async () => {
  const { project, post, tokens } = await givenQuestion({ dora: { role: "decide" } });
  const { events } = await project.log.append([
    {
      type: "gate.declared",
      actor: "agent",
      payload: { task: 1, gate: 1, command: "npm test", max: 5, timeout_s: 60 },
    },
  ]);
  const id = events[0]?.position ?? 0;
  const token = tokens.make({ kind: "gate_approval", id, task: 1, person: "dora" });
  expect(await post({ token, act: "approve" })).toMatchObject({
    status: 409,
    message: expect.stringContaining("seen whole"),
  });
  expect(await post({ token, act: "reject" })).toMatchObject({ status: 200 });
});

test("while nobody has confirmed the configuration, an answer waits", async () => {
  const { folder, post, token } = await givenQuestion();
  writeConfig(folder, JSON.stringify({ people: { ada: { role: "own" } } }));
  expect(await post({ token, act: "answer", text: "x" })).toMatchObject({
    status: 503,
    message: expect.stringContaining("no human has confirmed"),
  });
});

test("a token without a person is refused over HTTP", async () => {
  const { post, tokens, right } = await givenQuestion();
  const open = tokens.make({ kind: right.kind, id: right.id, task: right.task });
  expect(await post({ token: open, act: "answer", text: "x" })).toMatchObject({ status: 403 });
});

test.each([
  ["not JSON", "{", "application/json", 400, "not JSON"],
  ["a form", "token=x", "application/x-www-form-urlencoded", 415, "application/json"],
  ["no token", { act: "answer" }, "application/json", 400, "token"],
  ["a field that is not one", { token: "x", act: "answer", by: "ada" }, "application/json", 400, "by"],
])("%s is refused with the reason", async (_what, body, type, status, words) => {
  const { post } = await givenQuestion();
  expect(await post(body, type)).toMatchObject({ status, message: expect.stringContaining(words) });
});

test("an act that the item does not have, and a missing text, are refused with what would be right", async () => {
  const { post, token, acts } = await givenQuestion();
  expect(await post({ token, act: "retry" })).toMatchObject({
    status: 409,
    message: expect.stringContaining("Possible actions: answer, dismiss"),
  });
  expect(await post({ token, act: "answer" })).toMatchObject({
    message: expect.stringContaining("Nothing was recorded"),
  });
  expect(await acts()).toEqual([]);
});
