import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { stateVariables } from "../../../src/config/state-folder.ts";
import { packagePath } from "../../../src/lib/package-root.ts";
import { createTask } from "../../../src/operations/tasks.ts";
import { signalbox } from "../../support/cli.ts";
import { type Loaded, loadedScripts } from "../../support/loaded-scripts.ts";
import { callTool } from "../../support/mcp.ts";
import { freshProject, givenConfig, writeConfig } from "../../support/project.ts";
import { ASK, aborted, CLOSE, FORMS, Human } from "./given.ts";

/* Catches: what holds in one process only; a server that does not end while a human thinks. */

async function given(config: unknown = { answers: { now: true } }) {
  const { project, folder, db } = await freshProject();
  await project.decide(createTask({ title: "Export as CSV" }));
  givenConfig(folder, config);
  const env = { RALPH_TASK_ID: "1", RALPH_SESSION_ID: "s-1", RALPH_DB_PATH: db };
  return { project, folder, env };
}

const server = (env: Record<string, string>) => ({
  command: process.execPath,
  args: [packagePath("bin/signalbox.js"), "mcp"],
  env: { PATH: process.env.PATH ?? "", ...stateVariables(process.env), ...env },
});

/** An agent's client with a human, at a server process. */
async function connected(env: Record<string, string>) {
  const agent = new Client({ name: "test", version: "1" }, { capabilities: FORMS });
  const human = new Human();
  human.sitAt(agent);
  const transport = new StdioClientTransport({ ...server(env), stderr: "pipe" });
  onTestFinished(() => agent.close());
  let stderr = "";
  transport.stderr?.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  await agent.connect(transport);
  return { agent, human, stderr: () => stderr };
}

const lines = (...messages: readonly object[]) =>
  messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join("");

const hello = (capabilities: object) =>
  lines(
    {
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-06-18", capabilities, clientInfo: { name: "test", version: "1" } },
    },
    { method: "notifications/initialized" },
  );

const ask = lines({ id: 2, method: "tools/call", params: { name: "ask", arguments: ASK } });

test("a server process asks the human at its client, and records the answer", async () => {
  const { project, env } = await given();
  const { agent, human, stderr } = await connected(env);
  const call = callTool(agent, "ask", ASK);
  (await human.form()).answer({ action: "accept", content: { choice: "sync" } });
  expect((await call).structured).toMatchObject({ answer: "sync", next: "A human has answered: go on." });
  const [event] = await project.log.read((await project.log.head()) - 1, 1);
  expect(event).toMatchObject({ type: "question.answered", actor: "agent's client", correlation: "s-1" });
  expect(stderr()).toBe("");
});

test("an answer by command reaches the waiting agent, and the form is withdrawn", async () => {
  const { project, folder, env } = await given();
  const { agent, human } = await connected(env);
  const call = callTool(agent, "ask", ASK);
  const { takenBack } = await human.form();
  const id = await project.log.head();
  expect(await signalbox(["inbox", "answer", String(id), "Sync."], { cwd: folder })).toMatchObject({
    exitCode: 0,
  });
  expect((await call).structured).toMatchObject({ position: id, answer: "Sync." });
  await aborted(takenBack);
});

test("an unconfirmed configuration shows no form, and stderr says so", async () => {
  const { folder, env } = await given({});
  writeConfig(folder, JSON.stringify({ answers: { now: true } }));
  const { agent, human, stderr } = await connected(env);
  expect((await callTool(agent, "ask", ASK)).structured).toMatchObject({ next: CLOSE });
  while (stderr() === "") await nextTurn();
  expect(stderr()).toMatch(/^signalbox mcp: .* that no human has confirmed/);
  expect(human.forms).toEqual([]);
});

test("a changed configuration applies from the next question on, and an invalid one is reported on stderr", async () => {
  const { folder, env } = await given({ answers: { nwo: true } });
  const { agent, human, stderr } = await connected(env);
  expect((await callTool(agent, "ask", ASK)).structured).toMatchObject({ next: CLOSE });
  while (stderr() === "") await nextTurn();
  expect(stderr()).toMatch(/^signalbox mcp: .*config\.json cannot be used\. answers\.nwo: is not a field/);
  givenConfig(folder, { answers: { now: true } });
  const call = callTool(agent, "ask", ASK);
  (await human.form()).answer({ action: "decline" });
  expect((await call).structured).toMatchObject({ next: `The question was declined. ${CLOSE}` });
});

test("input that ends behind an ask ends the server, and the ask is recorded and answered", async () => {
  const { project, env } = await given();
  const ran = await signalbox(["mcp"], { env, input: hello(FORMS) + ask });
  expect(ran).toMatchObject({ exitCode: 0, stderr: "" });
  const answers = ran.stdout.trimEnd().split("\n").map(parsed);
  expect(answers.filter(({ id, method }) => id === 2 && method === undefined)).toMatchObject([
    { result: { structuredContent: { next: `The client has disconnected. ${CLOSE}` } } },
  ]);
  expect((await project.log.read(0, 100)).at(-1)).toMatchObject({ type: "signal.ask" });
});

test.each(["end of input", "SIGTERM", "SIGINT", "SIGHUP"] as const)(
  "%s ends a server while a question waits, and everything it acknowledged is in the log",
  async (end) => {
    const { project, env } = await given();
    const { command, args, env: variables } = server(env);
    const child = spawn(command, args, { env: variables, stdio: ["pipe", "pipe", "inherit"] });
    const exited = once(child, "exit");
    child.stdin.write(hello(FORMS) + ask);
    const heard: z.infer<typeof message>[] = [];
    for await (const line of createInterface(child.stdout)) {
      heard.push(parsed(line));
      if (heard.at(-1)?.method !== "elicitation/create") continue;
      if (end === "end of input") child.stdin.end();
      else child.kill(end);
    }
    expect(await exited).toEqual([0, null]);
    expect(heard.map(({ method }) => method)).toContain("notifications/cancelled");
    expect(heard.at(-1)).toMatchObject({
      id: 2,
      result: { structuredContent: { next: `The client has disconnected. ${CLOSE}` } },
    });
    const types = (await project.log.read(0, 100)).map(({ type }) => type);
    expect(types.slice(-1)).toEqual(["signal.ask"]);
  },
);

test("a server loads the code for forms only when one is needed", async () => {
  const { env } = await given();
  const asksHumans = ({ code }: Loaded) => code.includes("include no passwords or keys");
  const asking = await loadedScripts(["mcp"], { env, input: hello(FORMS) + ask });
  expect(asking.filter(asksHumans)).toHaveLength(1);
  const other = await loadedScripts(["mcp"], { env, input: hello({}) + ask });
  expect(other.length).toBeGreaterThan(3);
  expect(other.filter(asksHumans)).toEqual([]);
});

const message = z.looseObject({ id: z.number().optional(), method: z.string().optional() });

function parsed(line: string): z.infer<typeof message> {
  return message.parse(JSON.parse(line));
}
