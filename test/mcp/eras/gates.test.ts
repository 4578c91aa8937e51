import { expect, test } from "vitest";
import { signalsContext } from "../../../src/mcp/context.ts";
import { createServer } from "../../../src/mcp/server.ts";
import { startSession } from "../../../src/operations/sessions.ts";
import { createTask } from "../../../src/operations/tasks.ts";
import { freshProject } from "../../support/project.ts";
import { connectHere, newClient } from "./clients.ts";

async function given(command: string) {
  const { project, db } = await freshProject();
  const gates = [{ command, max: 3, timeout_s: 10 }];
  await project.decide(createTask({ title: "Export", gates }));
  await project.decide(startSession({ task: 1, session: "s-1" }));
  const server = createServer({
    context: signalsContext("s-1", 1),
    open: async () => project.store,
    gates: { readModelPath: db },
  });
  const client = await connectHere(server, newClient("sdk 2 pinned"));
  const attempts = async () =>
    (await project.log.read(0, 100)).filter(({ type }) => type === "gate.attempted").length;
  return { project, client, attempts };
}

test("a stateless client that waits for gates is told how they go, and gets their results", async () => {
  const { client } = await given("true");
  const told: (string | undefined)[] = [];
  const answer = await client.callTool(
    { name: "verify", arguments: {} },
    { onprogress: ({ message }) => void told.push(message) },
  );
  expect(answer.structuredContent).toMatchObject({ verified: true });
  expect(told[0]).toContain("gates");
});

test("a stateless client that cancels a call does not stop its gates, and gets their result by the same call", async () => {
  const { client, attempts } = await given("sleep 0.5");
  const call = { name: "verify", arguments: {}, _meta: { "claudecode/toolUseId": "toolu_1" } };
  const givenUp = new AbortController();
  const lost = client.callTool(call, {
    signal: givenUp.signal,
    onprogress: () => givenUp.abort("The agent was interrupted."),
  });
  await expect(lost).rejects.toThrow("The agent was interrupted.");
  expect((await client.callTool(call)).structuredContent).toMatchObject({ verified: true });
  expect(await attempts()).toBe(1);
});
