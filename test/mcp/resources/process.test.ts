import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { expect, onTestFinished, test } from "vitest";
import { packagePath } from "../../../src/lib/package-root.ts";
import { signalbox, signalboxJson } from "../../support/cli.ts";
import { type Loaded, loadedScripts } from "../../support/loaded-scripts.ts";
import { freshProject } from "../../support/project.ts";
import { shownBy } from "./given.ts";
import { listenTo } from "./listen.ts";

async function givenProject() {
  const { project, db, folder } = await freshProject();
  return { project, folder, env: { RALPH_TASK_ID: "1", RALPH_SESSION_ID: "s-1", RALPH_DB_PATH: db } };
}

const request = (id: number, method: string, params: object = {}) => ({ jsonrpc: "2.0", id, method, params });
const lines = (...messages: readonly object[]) =>
  messages.map((message) => `${JSON.stringify(message)}\n`).join("");
const HELLO = [
  request(1, "initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  }),
  { jsonrpc: "2.0", method: "notifications/initialized" },
];

test("a server process notifies its client of another process's change", async () => {
  const { folder, env } = await givenProject();
  const client = new Client({ name: "test", version: "1" });
  onTestFinished(() => client.close());
  const args = [packagePath("bin/signalbox.js"), "mcp"];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env }));
  const heard = listenTo(client);
  await client.listResources();
  await client.subscribeResource({ uri: "ralph://board" });
  await signalboxJson(["task", "add", "Mail it"], { cwd: folder });
  await Promise.all([heard.until("updated ralph://board"), heard.until("list changed")]);
  expect(await shownBy(client, "ralph://board")).toMatchObject({ ready: [1] });
});

test("a server that follows for its client ends with its input, after it has answered", async () => {
  const { env } = await givenProject();
  const subscribe = request(2, "resources/subscribe", { uri: "ralph://board" });
  const input = lines(
    ...HELLO,
    subscribe,
    request(3, "resources/list"),
    request(4, "resources/read", { uri: "ralph://inbox" }),
  );
  const ran = await signalbox(["mcp"], { env, input });
  expect(ran).toMatchObject({ exitCode: 0, stderr: "" });
  const answers = ran.stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(answers.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
  expect(answers[1]).toEqual({ jsonrpc: "2.0", id: 2, result: {} });
});

test("reading resources appends nothing", async () => {
  const { project, env } = await givenProject();
  const head = await project.log.head();
  const uris = ["board", "inbox", "progress", "learnings", "features/general"];
  const reads = uris.map((name, index) => request(index + 3, "resources/read", { uri: `ralph://${name}` }));
  const ran = await signalbox(["mcp"], {
    env,
    input: lines(...HELLO, request(2, "resources/list"), ...reads),
  });
  expect(ran.stdout).not.toContain('"error"');
  expect(await project.log.head()).toBe(head);
});

test("a server loads the code for resources only on request", async () => {
  const { env } = await givenProject();
  const knowsResources = ({ code }: Loaded) => code.includes("ralph://");
  const flag = { what: "x", severity: "info", category: "bug" };
  const call = request(2, "tools/call", { name: "flag", arguments: flag });
  const reporting = await loadedScripts(["mcp"], { env, input: lines(...HELLO, call) });
  expect(reporting.length).toBeGreaterThan(3);
  expect(reporting.filter(knowsResources)).toEqual([]);
  const asked = await loadedScripts(["mcp"], { env, input: lines(...HELLO, request(2, "resources/list")) });
  expect(asked.filter(knowsResources).map(({ name }) => name)).toEqual(
    ["kinds", "list", "resources", "subscriptions", "uri"].map((name) => `mcp_resources_${name}`),
  );
});
