// @module-tag slice
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { stateVariables } from "../../../src/config/state-folder.ts";
import { createTask } from "../../../src/operations/tasks.ts";
import { signalbox } from "../../support/cli.ts";
import { type Loaded, loadedScripts } from "../../support/loaded-scripts.ts";
import { freshProject } from "../../support/project.ts";
import { AGREED, CLIENTS } from "./clients.ts";
import { ENVELOPE } from "./envelope.ts";
import { connectProcess } from "./processes.ts";

test.each(CLIENTS)("%s connects to `signalbox mcp` and reports", async (name) => {
  const { project, db } = await freshProject();
  await project.decide(createTask({ title: "Export as CSV" }));
  const env = {
    RALPH_TASK_ID: "1",
    RALPH_SESSION_ID: "s-1",
    RALPH_DB_PATH: db,
    ...stateVariables(process.env),
  };
  const client = await connectProcess(name, env);
  const { tools } = await client.listTools();
  const answer = await client.callTool({ name: "done", arguments: { summary: "It exports." } });
  expect(tools.map((tool) => tool.name)).toContain("done");
  expect(answer.structuredContent).toMatchObject({ position: await project.log.head() });
  expect(client.getServerVersion()).toMatchObject({ name: "ralph" });
  if ("getNegotiatedProtocolVersion" in client)
    expect(client.getNegotiatedProtocolVersion()).toBe(AGREED[name]);
});

test.each([
  ["only asks what is served", [], false],
  ["lists the tools", ["tools/list"], true],
  ["asks for what there is not", ["prompts/list"], true],
])("to a driver, a client has connected that %s: %j, %s", async (_does, methods, connected) => {
  const { project, folder, db } = await freshProject();
  await project.decide(createTask({ title: "Export as CSV" }));
  const file = join(folder, "connected");
  const env = {
    RALPH_TASK_ID: "1",
    RALPH_SESSION_ID: "s-1",
    RALPH_DB_PATH: db,
    SIGNALBOX_CONNECTED: file,
    ...stateVariables(process.env),
  };
  const lines = ["server/discover", ...methods].map((method, id) =>
    JSON.stringify({ jsonrpc: "2.0", id, method, params: { _meta: ENVELOPE } }),
  );
  const head = await project.log.head();
  const ran = await signalbox(["mcp"], { env, input: `${lines.join("\n")}\n` });
  expect(ran).toMatchObject({ exitCode: 0, stderr: "" });
  expect(ran.stdout.trimEnd().split("\n")).toHaveLength(lines.length);
  expect(existsSync(file)).toBe(connected);
  expect(await project.log.head()).toBe(head);
});

test("a server loads the SDK of the versions before only for a client that initializes", async () => {
  const { db } = await freshProject();
  const env = {
    RALPH_TASK_ID: "1",
    RALPH_SESSION_ID: "s-1",
    RALPH_DB_PATH: db,
    ...stateVariables(process.env),
  };
  const knowsOldVersions = ({ code }: Loaded) => code.includes("2024-10-07");
  const run = (request: object) =>
    loadedScripts(["mcp"], { env, input: `${JSON.stringify({ jsonrpc: "2.0", id: 1, ...request })}\n` });
  const stateless = await run({ method: "tools/list", params: { _meta: ENVELOPE } });
  expect(stateless.length).toBeGreaterThan(3);
  expect(stateless.filter(knowsOldVersions)).toEqual([]);
  expect((await run({ method: "ping" })).filter(knowsOldVersions)).toHaveLength(1);
});
