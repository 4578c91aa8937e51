import fc from "fast-check";
import { parse } from "smol-toml";
import { expect, test } from "vitest";
import { clientConfig, knowsAddresses } from "../../src/mcp/client-configs.ts";
import { type ClientName, clientNames } from "../../src/mcp/client-names.ts";
import { entryIn } from "./client-config-entry.ts";

const server = {
  command: "/bin/node",
  args: ["/opt/signalbox.js", "mcp"],
  env: { RALPH_DB_PATH: "/p/.ralph/db/ralph.db", RALPH_CONTEXT: "/p/.ralph/mcp/context.json" },
};
const place = { project: "/p", home: "/home/me", platform: "linux" } as const;

const parsed = (client: ClientName, of: Parameters<typeof clientConfig>[1] = server): unknown => {
  const { content } = clientConfig(client, of, place);
  return client === "codex" ? parse(content) : JSON.parse(content);
};

test.each<[ClientName, object]>([
  ["claude", { mcpServers: { ralph: { type: "stdio", ...server, alwaysLoad: true } } }],
  ["claude-desktop", { mcpServers: { ralph: server } }],
  ["cursor", { mcpServers: { ralph: { type: "stdio", ...server } } }],
  ["vscode", { servers: { ralph: { type: "stdio", ...server } } }],
  ["codex", { mcp_servers: { ralph: { ...server, required: true } } }],
  ["gemini", { mcpServers: { ralph: server } }],
  ["qwen", { mcpServers: { ralph: server } }],
  ["copilot", { mcpServers: { ralph: { type: "local", ...server, tools: ["*"] } } }],
  ["cline", { mcpServers: { ralph: { ...server, disabled: false, autoApprove: [] } } }],
  ["zed", { context_servers: { ralph: server } }],
  ["windsurf", { mcpServers: { ralph: server } }],
  [
    "opencode",
    {
      $schema: "https://opencode.ai/config.json",
      mcp: {
        ralph: {
          type: "local",
          command: ["/bin/node", "/opt/signalbox.js", "mcp"],
          environment: server.env,
          enabled: true,
        },
      },
    },
  ],
])("%s is given the server ralph in its own shape, and nothing besides", (client, shape) => {
  expect(parsed(client)).toEqual(shape);
});

const address = {
  url: "http://127.0.0.1:4100/mcp",
  headers: { Authorization: "Bearer sb_0123abcd_secret" },
};
const { url, headers } = address;

test.each<[ClientName, object]>([
  ["claude", { mcpServers: { ralph: { type: "http", ...address, alwaysLoad: true } } }],
  ["cursor", { mcpServers: { ralph: address } }],
  ["vscode", { servers: { ralph: { type: "http", ...address } } }],
  ["codex", { mcp_servers: { ralph: { url, http_headers: headers, required: true } } }],
  ["gemini", { mcpServers: { ralph: { httpUrl: url, headers } } }],
  ["qwen", { mcpServers: { ralph: { httpUrl: url, headers } } }],
  ["copilot", { mcpServers: { ralph: { type: "http", ...address, tools: ["*"] } } }],
  [
    "cline",
    { mcpServers: { ralph: { type: "streamableHttp", ...address, disabled: false, autoApprove: [] } } },
  ],
  ["zed", { context_servers: { ralph: address } }],
  ["windsurf", { mcpServers: { ralph: { serverUrl: url, headers } } }],
  [
    "opencode",
    {
      $schema: "https://opencode.ai/config.json",
      mcp: { ralph: { type: "remote", ...address, oauth: false, enabled: true } },
    },
  ],
])("%s is given the address of a server that runs in its own shape, and nothing besides", (client, shape) => {
  expect(knowsAddresses(client)).toBe(true);
  expect(parsed(client, address)).toEqual(shape);
});

test("a client whose configuration holds no addresses is known", () => {
  expect(clientNames.filter((client) => !knowsAddresses(client))).toEqual(["claude-desktop"]);
  expect(() => clientConfig("claude-desktop", address, place)).toThrow("claude-desktop holds no addresses");
});

test.each<[ClientName, NodeJS.Platform, string]>([
  ["claude", "linux", "/p/.mcp.json"],
  ["claude-desktop", "linux", "/home/me/.config/Claude/claude_desktop_config.json"],
  ["claude-desktop", "darwin", "/home/me/Library/Application Support/Claude/claude_desktop_config.json"],
  ["claude-desktop", "win32", "/home/me/AppData/Roaming/Claude/claude_desktop_config.json"],
  ["cursor", "linux", "/p/.cursor/mcp.json"],
  ["vscode", "linux", "/p/.vscode/mcp.json"],
  ["codex", "linux", "/p/.codex/config.toml"],
  ["gemini", "linux", "/p/.gemini/settings.json"],
  ["opencode", "linux", "/p/opencode.json"],
  ["qwen", "linux", "/p/.qwen/settings.json"],
  ["copilot", "linux", "/home/me/.copilot/mcp-config.json"],
  ["cline", "linux", "/home/me/.cline/data/settings/cline_mcp_settings.json"],
  ["zed", "linux", "/p/.zed/settings.json"],
  ["windsurf", "linux", "/home/me/.codeium/windsurf/mcp_config.json"],
])("the configuration of %s on %s belongs into %s", (client, platform, file) => {
  expect(clientConfig(client, server, { ...place, platform }).file).toBe(file);
});

const path = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({
    unit: fc.constantFrom(
      " ",
      '"',
      "'",
      "\\",
      "ü",
      "\t",
      "\n",
      "\r",
      "\b",
      "\u001b",
      "\u007f",
      "\u009b",
      "#",
      "u",
    ),
  }),
);

test.each(clientNames)("%s reads any path unchanged", (client) => {
  fc.assert(
    fc.property(path, path, path, path, (command, program, RALPH_DB_PATH, RALPH_CONTEXT) => {
      const given = { command, args: [program, "mcp"], env: { RALPH_DB_PATH, RALPH_CONTEXT } };
      expect(entryIn(client, clientConfig(client, given, place).content)).toEqual(given);
    }),
  );
});

test.each(clientNames)("the output for %s contains no terminal control sequences", (client) => {
  const odd = String.fromCharCode(...Array.from({ length: 0xa0 }, (_, code) => code));
  const { content } = clientConfig(client, { ...server, command: odd }, place);
  expect(content.replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
  expect(entryIn(client, content).command).toBe(odd);
});

const filledIn = (name: string) => `\${${name}}`;

test.each<[ClientName, string[]]>([
  ["claude", [filledIn("HOME")]],
  ["claude-desktop", []],
  ["cursor", [filledIn("HOME")]],
  ["vscode", [filledIn("HOME")]],
  ["codex", []],
  ["gemini", ["$USER", filledIn("HOME")]],
  ["opencode", ["{env:HOME}", "{file:x}"]],
  ["qwen", ["$USER", filledIn("HOME")]],
  ["copilot", ["$USER", filledIn("HOME")]],
  ["cline", []],
  ["zed", []],
  ["windsurf", [filledIn("HOME")]],
])("a placeholder that %s would replace in a path is reported once: %j", (client, replaced) => {
  const odd = `/$USER/${filledIn("HOME")}/{env:HOME}/{file:x}/100$/{}/${filledIn("")}`;
  const given = { ...server, env: { RALPH_DB_PATH: odd, RALPH_CONTEXT: odd } };
  expect(clientConfig(client, given, place).replaced).toEqual(replaced);
  expect(clientConfig(client, server, place).replaced).toEqual([]);
});
