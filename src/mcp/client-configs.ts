import { join } from "node:path";
import { SERVER_NAME } from "../events/server-name.ts";
import type { ClientName } from "./client-names.ts";
import { quoted } from "./quoted.ts";

/**
 * What a human's own client wants, so that it starts our server for one project.
 *
 * @param server the process to start; its paths absolute, since clients start it in folders of their own
 */
export function clientConfig(client: ClientName, server: ServerProcess, place: Place): ClientConfig {
  const { fileIn, render, variable, note } = clients[client];
  const texts = [server.command, ...server.args, ...Object.values(server.env)];
  const replaced = variable ? texts.flatMap((text) => text.match(variable) ?? []) : [];
  return { client, file: fileIn(place), content: render(server), replaced: [...new Set(replaced)], note };
}

export interface ServerProcess {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: { readonly RALPH_DB_PATH: string; readonly RALPH_CONTEXT: string };
}

/** What decides where a client's file lies. */
export interface Place {
  /** The project's folder. */
  readonly project: string;
  /** The human's home folder. */
  readonly home: string;
  readonly platform: NodeJS.Platform;
}

export interface ClientConfig {
  readonly client: ClientName;
  /** Where it belongs. What the file has besides is the human's, and to be kept. */
  readonly file: string;
  /** JSON, or TOML for codex, with the line break at its end. */
  readonly content: string;
  /** Parts of the server's paths that the client takes for variables; no client has a way to escape them. */
  readonly replaced: readonly string[];
  /** What its user must know besides; absent: nothing. */
  readonly note?: string | undefined;
}

interface Client {
  readonly fileIn: (place: Place) => string;
  readonly render: (server: ServerProcess) => string;
  /** What the client replaces in any text; absent: nothing. */
  readonly variable?: RegExp;
  /** What its user must know besides. */
  readonly note?: string;
}

/** Adding a client: its name in client-names.ts, its entry here, its section in docs/clients.md. */
const clients: Readonly<Record<ClientName, Client>> = {
  // https://code.claude.com/docs/en/mcp
  claude: {
    fileIn: ({ project }) => join(project, ".mcp.json"),
    // Tools that hide behind a search are often not called; Claude Code before 2.1.121 does not know the field.
    render: (server) =>
      json({ mcpServers: { [SERVER_NAME]: { type: "stdio", ...server, alwaysLoad: true } } }),
    variable: /\$\{[^}]+\}/g,
  },
  // https://modelcontextprotocol.io/docs/develop/connect-local-servers
  "claude-desktop": {
    fileIn: ({ home, platform }) =>
      join(home, SETTINGS[platform] ?? ".config", "Claude", "claude_desktop_config.json"),
    render: (server) => json({ mcpServers: { [SERVER_NAME]: server } }),
  },
  // https://cursor.com/docs/mcp
  cursor: {
    fileIn: ({ project }) => join(project, ".cursor", "mcp.json"),
    render: (server) => json({ mcpServers: { [SERVER_NAME]: { type: "stdio", ...server } } }),
    variable: /\$\{[^}]+\}/g,
  },
  vscode: {
    fileIn: ({ project }) => join(project, ".vscode", "mcp.json"),
    render: (server) => json({ servers: { [SERVER_NAME]: { type: "stdio", ...server } } }),
    variable: /\$\{[^}]+\}/g,
  },
  codex: {
    fileIn: ({ project }) => join(project, ".codex", "config.toml"),
    render: toml,
    note: "Codex reads it once it trusts the folder: start `codex` there and answer its question.",
  },
  // https://geminicli.com/docs/tools/mcp-server
  gemini: {
    fileIn: ({ project }) => join(project, ".gemini", "settings.json"),
    render: (server) => json({ mcpServers: { [SERVER_NAME]: server } }),
    variable: /\$(?:\w+|\{[^}]+\})/g,
    note: "Gemini CLI starts no server in a folder that it does not trust: answer its question once, or set GEMINI_CLI_TRUST_WORKSPACE=true.",
  },
  // https://opencode.ai/docs/mcp-servers: this is the shape of its version 1, which version 2 reads too.
  opencode: {
    fileIn: ({ project }) => join(project, "opencode.json"),
    render: ({ command, args, env: environment }) =>
      json({
        $schema: "https://opencode.ai/config.json",
        mcp: {
          [SERVER_NAME]: { type: "local", command: [command, ...args], environment, enabled: true },
        },
      }),
    variable: /\{(?:env|file):[^}]+\}/g,
  },
  // https://qwenlm.github.io/qwen-code-docs/en/users/features/mcp/
  qwen: {
    fileIn: ({ project }) => join(project, ".qwen", "settings.json"),
    render: (server) => json({ mcpServers: { [SERVER_NAME]: server } }),
    variable: /\$(?:\w+|\{[^}]+\})/g,
    note: `Qwen Code starts it once it is approved: \`qwen mcp approve ${SERVER_NAME}\`.`,
  },
  // https://docs.github.com/en/copilot/how-tos/copilot-cli/customize-copilot/add-mcp-servers
  copilot: {
    fileIn: ({ home }) => join(home, ".copilot", "mcp-config.json"),
    render: (server) => json({ mcpServers: { [SERVER_NAME]: { type: "local", ...server, tools: ["*"] } } }),
    variable: /\$(?:\w+|\{[^}]+\})/g,
  },
  // https://docs.cline.bot/mcp/mcp-overview
  cline: {
    fileIn: ({ home }) => join(home, ".cline", "data", "settings", "cline_mcp_settings.json"),
    render: (server) =>
      json({ mcpServers: { [SERVER_NAME]: { ...server, disabled: false, autoApprove: [] } } }),
  },
  // https://zed.dev/docs/ai/mcp
  zed: {
    fileIn: ({ project }) => join(project, ".zed", "settings.json"),
    render: (server) => json({ context_servers: { [SERVER_NAME]: server } }),
  },
  // https://docs.windsurf.com/windsurf/cascade/mcp
  windsurf: {
    fileIn: ({ home }) => join(home, ".codeium", "windsurf", "mcp_config.json"),
    render: (server) => json({ mcpServers: { [SERVER_NAME]: server } }),
    variable: /\$\{[^}]+\}/g,
  },
};

/** Where programs with windows keep their settings, in the home folder. */
const SETTINGS: Partial<Record<NodeJS.Platform, string>> = {
  darwin: "Library/Application Support",
  win32: "AppData/Roaming",
};

function json(value: unknown): string {
  return `${quoted(value, 2)}\n`;
}

function toml({ command, args, env }: ServerProcess): string {
  return [
    `[mcp_servers.${SERVER_NAME}]`,
    `command = ${quoted(command)}`,
    `args = [${args.map((arg) => quoted(arg)).join(", ")}]`,
    // Else Codex goes on without a server that takes more than a second to start.
    "required = true",
    "",
    `[mcp_servers.${SERVER_NAME}.env]`,
    ...Object.entries(env).map(([name, value]) => `${name} = ${quoted(value)}`),
    "",
  ].join("\n");
}
