import { expect, test } from "vitest";
import { answerQuestion } from "../../../src/operations/inbox.ts";
import { givenConfig } from "../../support/project.ts";
import { ASK, FORMS } from "../answers/given.ts";
import { AGREED, CLIENTS, newClient } from "../eras/clients.ts";
import { connectHttp, givenHttp } from "./given.ts";

/*
 * Real clients of both eras over HTTP, to the end of a task. Catches: a call that is recorded twice, one that is answered in another
 * session, a question that nobody sees.
 */

const TASK = { title: "Export as CSV" };

test.each(CLIENTS)("%s does its task over HTTP, and knows its tools", async (name) => {
  const given = await givenHttp(TASK, TASK);
  const client = await connectHttp(name, given.url, given.tokens[1] ?? "");
  const { tools } = await client.listTools();
  expect(tools.map((tool) => tool.name)).toContain("done");
  const answer = await client.callTool({ name: "done", arguments: { summary: "It exports." } });
  expect(answer.structuredContent).toMatchObject({ position: await given.project.log.head() });
  expect(await given.reports()).toEqual(["signal.done s-2"]);
  if ("getNegotiatedProtocolVersion" in client)
    expect(client.getNegotiatedProtocolVersion()).toBe(AGREED[name]);
  expect(given.reported).toEqual([]);
});

test("a call with the id of a tool use is recorded once, whichever era and connection it comes by again", async () => {
  const given = await givenHttp(TASK);
  const [token = ""] = given.tokens;
  const call = {
    name: "learned",
    arguments: { text: "Commas are quoted.", kind: "discovery" },
    _meta: { "claudecode/toolUseId": "toolu_1" },
  };
  const answers: unknown[] = [];
  for (const name of ["sdk 1", "sdk 2 pinned", "sdk 1"] as const) {
    const client = await connectHttp(name, given.url, token);
    answers.push((await client.callTool(call)).structuredContent);
  }
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(await given.reports()).toEqual(["signal.learned s-1"]);
});

test.each(["sdk 1", "sdk 2 pinned"] as const)("%s is told over HTTP how its gates go", async (name) => {
  const gates = [{ command: "true", max: 3, timeout_s: 10 }];
  const given = await givenHttp({ ...TASK, gates });
  const client = await connectHttp(name, given.url, given.tokens[0] ?? "");
  const told: (string | undefined)[] = [];
  const onprogress = ({ message }: { message?: string | undefined }) => void told.push(message);
  const call = { name: "verify", arguments: {} };
  const answer = await ("getNegotiatedProtocolVersion" in client
    ? client.callTool(call, { onprogress })
    : client.callTool(call, undefined, { onprogress }));
  expect(answer.structuredContent).toMatchObject({ verified: true });
  expect(told[0]).toContain("gates");
});

test.each(["sdk 2 by default", "sdk 2 pinned"] as const)(
  "a human at %s answers its question over HTTP",
  async (name) => {
    const given = await givenHttp(TASK);
    givenConfig(given.folder, { answers: { now: true } });
    const client = newClient(name, FORMS);
    client.setRequestHandler("elicitation/create", () => ({ action: "accept", content: { answer: "sync" } }));
    await connectHttp(name, given.url, given.tokens[0] ?? "", client);
    const answer = await client.callTool({ name: "ask", arguments: ASK });
    expect(answer.structuredContent).toMatchObject({ answer: "sync" });
    expect(await given.reports()).toEqual(["signal.ask s-1"]);
  },
);

test("a call that waits for a human over HTTP gets the answer that is given elsewhere", async () => {
  const given = await givenHttp(TASK);
  givenConfig(given.folder, { answers: { now: true } });
  const client = newClient("sdk 2 by default", FORMS);
  let shown = () => {};
  const isShown = new Promise<void>((resolve) => {
    shown = resolve;
  });
  client.setRequestHandler("elicitation/create", () => {
    shown();
    return new Promise(() => {});
  });
  await connectHttp("sdk 2 by default", given.url, given.tokens[0] ?? "", client);
  const asked = client.callTool({ name: "ask", arguments: ASK });
  await isShown;
  const position = (await given.project.log.read(0, 1_000)).find(
    ({ type }) => type === "signal.ask",
  )?.position;
  await given.project.decide(answerQuestion({ id: position ?? 0, answer: "async" }));
  expect((await asked).structuredContent).toMatchObject({ answer: "async" });
});
