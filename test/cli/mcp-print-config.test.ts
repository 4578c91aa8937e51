import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { initProject, readModelPathIn } from "../../src/api/project.ts";
import { clientNames } from "../../src/mcp/client-names.ts";
import { openHttpSessions } from "../../src/mcp/http/http-sessions.ts";
import { toolNames } from "../../src/operations/tool-names.ts";
import { entryIn } from "../mcp/client-config-entry.ts";
import { ENVELOPE } from "../mcp/eras/envelope.ts";
import { fails, signalbox, signalboxJson } from "../support/cli.ts";
import { type Loaded, loadedScripts } from "../support/loaded-scripts.ts";
import { freshFolder, freshProject } from "../support/project.ts";

const ODD = "Bücher \"und\" 'mehr' \\n \\ #1\t\u0001\u007f";

async function givenProjectIn(name: string): Promise<string> {
  const folder = join(freshFolder(), name);
  mkdirSync(folder);
  await initProject(folder);
  return folder;
}

test.each(clientNames)(
  "the configuration for %s starts a server that lists its tools, even in a project with odd characters in its path",
  async (name) => {
    const folder = await givenProjectIn(ODD);
    const { stdout, exitCode } = await signalbox(["mcp", "--print-config", name], { cwd: folder });
    expect(exitCode).toBe(0);
    const { command, args, env } = entryIn(name, stdout);
    expect(env).toEqual({
      RALPH_DB_PATH: readModelPathIn(folder),
      RALPH_CONTEXT: join(folder, ".ralph", "mcp", "context.json"),
    });

    const client = new Client({ name: "test", version: "1" });
    onTestFinished(() => client.close());
    await client.connect(new StdioClientTransport({ command, args, env, cwd: "/" }));
    expect(client.getServerVersion()).toMatchObject({ name: "ralph" });
    expect((await client.listTools()).tools.map((tool) => tool.name)).toContain("create_ralph_session");
  },
);

test("over HTTP the configuration has the address and a new token, by which a server lists every tool until its file is removed", async () => {
  const { project, folder, db } = await freshProject();
  const url = "http://127.0.0.1:4100/mcp";
  const print = ["mcp", "--print-config", "claude", "--transport", "http"];
  expect(await signalbox(print, { cwd: folder })).toMatchObject(fails(1, "No server of this project runs"));
  const printed = await signalbox([...print, "--url", url], { cwd: folder });
  const { ralph } = JSON.parse(printed.stdout).mcpServers;
  expect(ralph).toMatchObject({ type: "http", url });
  const { content, token_file } = configAtAddress.parse(
    await signalboxJson([...print, "--url", url], { cwd: folder }),
  );
  const { Authorization } = JSON.parse(content).mcpServers.ralph.headers;
  expect(Authorization).not.toBe(ralph.headers.Authorization);
  expect(printed.stderr).toMatch(/The token in it is new.*: remove \S+\/tokens\/\S+\.json to end it/);

  const sessions = openHttpSessions(project.store, db, () => {});
  onTestFinished(() => sessions.close());
  const list = async () => {
    const request = new Request(url, {
      method: "POST",
      headers: {
        ...{ Authorization, Host: "127.0.0.1:4100", Accept: "application/json, text/event-stream" },
        ...{ "Content-Type": "application/json", "Mcp-Method": "tools/list" },
        "MCP-Protocol-Version": "2026-07-28",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta: ENVELOPE } }),
    });
    return sessions.answer(request, { hosts: new Set(["127.0.0.1:4100"]), origins: new Set() });
  };
  const { result } = listed.parse(await (await list()).json());
  expect(result.tools.map(({ name }) => name)).toEqual(toolNames);
  rmSync(token_file);
  expect((await list()).status).toBe(401);
});

const listed = z.object({ result: z.object({ tools: z.array(z.object({ name: z.string() })) }) });
const configAtAddress = z.object({ content: z.string(), token_file: z.string() });

test.each([
  [
    ["--print-config", "claude-desktop", "--transport", "http", "--url", "http://127.0.0.1:1"],
    "holds only servers that it starts",
  ],
  [
    ["--print-config", "claude", "--transport", "http", "--url", "here"],
    '--url is "here". It must be an address',
  ],
  [["--transport", "http"], "--transport and --url need --print-config"],
])("signalbox mcp %j makes no token, and says what was wrong", async (args, message) => {
  const { folder } = await freshProject();
  const ran = await signalbox(["mcp", ...args], { cwd: folder });
  expect(ran).toMatchObject({ exitCode: 2, stdout: "", stderr: expect.stringContaining(message) });
  expect(existsSync(join(folder, ".ralph", "tokens"))).toBe(false);
});

test("stdout has the configuration alone, as a file can hold it; stderr says where it belongs", async () => {
  const { folder } = await freshProject();
  const ran = await signalbox(["mcp", "--print-config", "cursor"], { cwd: folder });
  expect(JSON.parse(ran.stdout)).toHaveProperty("mcpServers.ralph");
  expect(ran.stderr).toContain(join(folder, ".cursor", "mcp.json"));
});

test("with --json it is client, file and content, also from a folder further down and with --db", async () => {
  const { folder, db } = await freshProject();
  const below = join(folder, "src", "deep");
  mkdirSync(below, { recursive: true });
  const { stdout: content } = await signalbox(["mcp", "--print-config", "codex"], { cwd: folder });
  const answer = { client: "codex", file: join(folder, ".codex", "config.toml"), content };
  const print = ["mcp", "--print-config", "codex"];
  expect(await signalboxJson(print, { cwd: below })).toEqual(answer);
  expect(await signalboxJson([...print, "--db", db], { cwd: "/" })).toEqual(answer);
  expect(await signalboxJson([...print, "--db", folder], { cwd: "/" })).toEqual(answer);
});

test("only for Gemini CLI, the output says what an untrusted folder lacks", async () => {
  const { folder } = await freshProject();
  const printed = (name: string) => signalbox(["mcp", "--print-config", name], { cwd: folder });
  expect((await printed("gemini")).stderr).toContain("GEMINI_CLI_TRUST_WORKSPACE=true");
  expect((await printed("codex")).stderr).not.toContain("TRUST");
});

test("printing a configuration records nothing and writes no client's file", async () => {
  const { project, folder } = await freshProject();
  const before = { head: await project.log.head(), files: readdirSync(folder) };
  for (const name of clientNames) await signalbox(["mcp", "--print-config", name], { cwd: folder });
  expect({ head: await project.log.head(), files: readdirSync(folder) }).toEqual(before);
});

test("if the named context is missing, the output says how to create it", async () => {
  const { folder } = await freshProject();
  const printed = () => signalbox(["mcp", "--print-config", "claude"], { cwd: folder });
  expect((await printed()).stderr).not.toContain("regenerate");
  rmSync(join(folder, ".ralph", "mcp"), { recursive: true });
  expect((await printed()).stderr).toContain("Create it with `signalbox regenerate`");
});

test("a warning names a client that replaces a part of the path", async () => {
  const variable = `\${USER}`;
  const folder = await givenProjectIn(`of ${variable}`);
  const printed = (name: string) => signalbox(["mcp", "--print-config", name], { cwd: folder });
  expect((await printed("claude")).stderr).toContain(`claude reads ${variable} as a variable`);
  expect((await printed("codex")).stderr).not.toContain("variable");
});

test.each([
  [["--print-config", "emacs"], 2, `Allowed choices are ${clientNames.join(", ")}`],
  [["--print-config", "claude"], 3, "signalbox init"],
  [["--print-config", "claude", "--db", "no/such.db"], 3, "There is no event log at"],
  [["--json"], 2, "--json needs --print-config"],
])(
  "without a project, signalbox mcp %j exits with %i and says what was wrong",
  async (args, exitCode, message) => {
    const cwd = freshFolder();
    const ran = await signalbox(["mcp", ...args], { cwd });
    expect(ran).toMatchObject({ ...fails(exitCode, message), stdout: "" });
    expect(readdirSync(cwd)).toEqual([]);
  },
);

test("a server does not load the code that prints configurations", async () => {
  const { db } = await freshProject();
  const env = { RALPH_TASK_ID: "1", RALPH_SESSION_ID: "s-1", RALPH_DB_PATH: db };
  const knowsClients = ({ code }: Loaded) => code.includes("opencode.ai");
  const printing = await loadedScripts(["mcp", "--print-config", "codex", "--db", db]);
  expect(printing.filter(knowsClients)).toHaveLength(1);
  for (const args of [["mcp"], ["mcp", "--db", db]]) {
    const serving = await loadedScripts(args, { env });
    expect(serving.length).toBeGreaterThan(3);
    expect(serving.filter(knowsClients)).toEqual([]);
  }
});
