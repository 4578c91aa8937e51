import { lstatSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseConfig } from "../../src/config/config.ts";
import { type ClientKind, findAgent, permissionLevels } from "../../src/config/schema.ts";
import { clients, commandLine } from "../../src/loop/agent/clients.ts";
import { freshFolder } from "../support/project.ts";

/* Catches: a server that an agent is given and may not use, one that it has besides, a level that gives more than it says. */
const launch = {
  task: 7,
  session: "s-1",
  folder: "/run",
  promptFile: "/run/prompt.md",
  mcpConfig: "/run/mcp.json",
  servers: {
    ralph: { command: "node", args: ["signalbox.js", "mcp"], env: { RALPH_TASK_ID: "7" } },
    "shadcn-ui": { command: "npx", args: ["shadcn"], env: { SHADCN_TOKEN: "secret" } },
    docs: { type: "http" as const, url: "https://docs.example/mcp", headers: { "X-Key": "secret of docs" } },
  },
  conversation: "c-1",
  model: "large",
  budgetUsd: undefined,
  environment: {},
};

function launched(kind: ClientKind, program: object = {}) {
  const agent = findAgent(parseConfig({ agents: { [kind]: { kind, ...program } } }, "config.json"), kind);
  if (!agent) throw new Error(`There is no agent ${kind}.`);
  const home = freshFolder();
  return { home, ...commandLine(agent, { ...launch, folder: freshFolder(), environment: { HOME: home } }) };
}

test("Claude Code is given the session's servers and no others, and may use the tools of each", () => {
  const { file, args } = launched("claude", { args: ["--last"] });
  expect(file).toBe("claude");
  expect(args.slice(0, 6)).toEqual([
    "-p",
    "--mcp-config",
    "/run/mcp.json",
    "--strict-mcp-config",
    "--allowedTools",
    "mcp__ralph,mcp__shadcn-ui,mcp__docs",
  ]);
  expect(args.at(-1)).toBe("--last");
});

test("Codex is given the session's servers as required ones, and no secret on its command line", () => {
  const { args, environment } = launched("codex");
  const settings = args.filter((_, index) => args[index - 1] === "-c");
  expect(settings).toEqual(
    expect.arrayContaining([
      'mcp_servers.ralph.env={ "RALPH_TASK_ID" = "7" }',
      "mcp_servers.ralph.required=true",
      'mcp_servers.shadcn-ui.env_vars=["SHADCN_TOKEN"]',
      'mcp_servers.docs.url="https://docs.example/mcp"',
      'mcp_servers.docs.env_http_headers={ "X-Key" = "SIGNALBOX_HEADER_2_0" }',
    ]),
  );
  expect(args.join(" ")).not.toContain("secret");
  expect(environment).toMatchObject({ SHADCN_TOKEN: "secret", SIGNALBOX_HEADER_2_0: "secret of docs" });
});

test("opencode is given the session's servers by its environment", () => {
  const { OPENCODE_CONFIG_CONTENT = "{}" } = launched("opencode").environment ?? {};
  expect(JSON.parse(OPENCODE_CONFIG_CONTENT).mcp).toEqual({
    ralph: {
      type: "local",
      command: ["node", "signalbox.js", "mcp"],
      environment: { RALPH_TASK_ID: "7" },
      enabled: true,
    },
    "shadcn-ui": {
      type: "local",
      command: ["npx", "shadcn"],
      environment: { SHADCN_TOKEN: "secret" },
      enabled: true,
    },
    docs: {
      type: "remote",
      url: "https://docs.example/mcp",
      headers: { "X-Key": "secret of docs" },
      enabled: true,
    },
  });
});

test("Gemini CLI has the user's home and settings but for the servers, and changes neither", () => {
  const home = freshFolder();
  const users = join(home, ".gemini");
  mkdirSync(users);
  writeFileSync(join(users, "oauth_creds.json"), "{}");
  const settings =
    '{"model": {"name": "x"}, // mine, see http://x\n "mcpServers": {"own": {"command": "own"}}, "a": "//b"}';
  writeFileSync(join(users, "settings.json"), settings);
  const agent = findAgent(parseConfig({}, "config.json"), "gemini");
  if (!agent) throw new Error("There is no agent gemini.");
  const { environment } = commandLine(agent, {
    ...launch,
    folder: freshFolder(),
    environment: { HOME: home },
  });
  const made = join(environment?.GEMINI_CLI_HOME ?? "", ".gemini");
  expect(lstatSync(join(made, "oauth_creds.json")).isSymbolicLink()).toBe(true);
  expect(JSON.parse(readFileSync(join(made, "settings.json"), "utf8"))).toEqual({
    model: { name: "x" },
    a: "//b",
    mcpServers: {
      ralph: { ...launch.servers.ralph, trust: true },
      "shadcn-ui": { ...launch.servers["shadcn-ui"], trust: true },
      docs: { httpUrl: "https://docs.example/mcp", headers: { "X-Key": "secret of docs" }, trust: true },
    },
  });
  expect(readFileSync(join(users, "settings.json"), "utf8")).toBe(settings);
});

const kinds = Object.keys(clients) as ClientKind[]; // the keys of a record by kind

test.each(kinds)("each level of %s is launched in its own way, and without one it is edit", (kind) => {
  const of = (program: object) => {
    const { args, environment } = launched(kind, program);
    return JSON.stringify([args, environment?.OPENCODE_CONFIG_CONTENT]);
  };
  const levels = permissionLevels.map((permissions) => of({ permissions }));
  expect(new Set(levels).size).toBe(3);
  expect(of({})).toBe(of({ permissions: "edit" }));
});

test.each(kinds)("%s is given its model and the arguments of the configuration", (kind) => {
  const { args } = launched(kind, { args: ["--mine"] });
  expect(args).toEqual(expect.arrayContaining(["large", "--mine"]));
});
