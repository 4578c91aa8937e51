import { join } from "node:path";
import { SERVER_NAME } from "../events/server-name.ts";
import type { ClientName } from "./client-names.ts";
import { remotes, type ServerAddress } from "./client-remotes.ts";
import { quoted, quotedText } from "./quoted.ts";

/**
 * The configuration with which a human's own client reaches our server for one project.
 *
 * @param server the process to start, with absolute paths, since clients start it in other folders; or
 *   the address of one that runs
 * @throws Error for an address, if `knowsAddresses` is false
 */
export function clientConfig(
  client: ClientName,
  server: ServerProcess | ServerAddress,
  place: Place,
): ClientConfig {
  const { fileIn, render, variable, note } = clients[client];
  const texts =
    "command" in server
      ? [server.command, ...server.args, ...Object.values(server.env)]
      : [server.url, server.headers.Authorization];
  const replaced = variable ? texts.flatMap((text) => text.match(variable) ?? []) : [];
  const content = "command" in server ? render(server) : addressed(client, server);
  return { client, file: fileIn(place), content, replaced: [...new Set(replaced)], note };
}

function addressed(client: ClientName, server: ServerAddress): string {
  const write = remotes[client];
  if (!write) throw new Error(`The configuration of ${client} holds no addresses.`);
  return write(server);
}

/** Whether a client's configuration can name a server that runs already. */
export function knowsAddresses(client: ClientName): boolean {
  return remotes[client] !== undefined;
}

export interface ServerProcess {
  readonly command: string;
  readonly args: string[];
  readonly env: { readonly RALPH_DB_PATH: string; readonly RALPH_CONTEXT: string };
}

/** The inputs for the path of a client's file. */
export interface Place {
  /** The project's folder. */
  readonly project: string;
  /** The human's home folder. */
  readonly home: string;
  readonly platform: NodeJS.Platform;
}

export interface ClientConfig {
  readonly client: ClientName;
  /** The path of its file. The rest of the file is the human's and must be kept. */
  readonly file: string;
  /** JSON, or TOML for codex, with a final line feed. */
  readonly content: string;
  /**
   * Parts of the server's paths or address that the client takes for variables; clients have no escape for
   * them.
   */
  readonly replaced: readonly string[];
  /** A note for its user; absent: none. */
  readonly note?: string | undefined;
}

interface Client {
  readonly fileIn: (place: Place) => string;
  readonly render: (server: ServerProcess) => string;
  /** The variables that the client replaces in any text; absent: none. */
  readonly variable?: RegExp;
  /** A note for its user. */
  readonly note?: string;
  /** Only for docs/clients.md. */
  readonly about: AboutOwnClient;
}

interface AboutOwnClient {
  readonly title: string;
  /** Its own documentation of MCP servers. */
  readonly docs?: string;
  /** The configuration for all folders, or how to open the file. */
  readonly elsewhere?: string;
  /** The npm package that test/clients tries, or how it was tried; absent: not tried. */
  readonly tried?: string;
  readonly remark?: string;
}

/** The client's description in docs/clients.md, apart from its configuration. */
export function aboutOwnClient(client: ClientName): AboutOwnClient & { readonly note?: string | undefined } {
  const { about, note } = clients[client];
  return { ...about, note };
}

/**
 * To add a client: its name in client-names.ts, its entry here; then `npx vitest run
 * test/docs/clients-page -u`.
 */
const clients: Readonly<Record<ClientName, Client>> = {
  claude: {
    about: {
      title: "Claude Code",
      docs: "https://code.claude.com/docs/en/mcp",
      elsewhere: "For all folders: `mcpServers` in `~/.claude.json`.",
      tried: "@anthropic-ai/claude-agent-sdk",
      remark:
        "`alwaysLoad` shows the tools to the agent at once: agents rarely call tools that they must search for. Versions before 2.1.121 ignore it.",
    },
    fileIn: ({ project }) => join(project, ".mcp.json"),
    render: (server) =>
      quotedText({ mcpServers: { [SERVER_NAME]: { type: "stdio", ...server, alwaysLoad: true } } }),
    variable: /\$\{[^}]+\}/g,
  },
  "claude-desktop": {
    about: {
      title: "Claude Desktop",
      docs: "https://modelcontextprotocol.io/docs/develop/connect-local-servers",
      elsewhere: "*Settings → Developer → Edit Config* opens the file. Restart Claude Desktop afterwards.",
    },
    fileIn: ({ home, platform }) =>
      join(home, SETTINGS[platform] ?? ".config", "Claude", "claude_desktop_config.json"),
    render: (server) => quotedText({ mcpServers: { [SERVER_NAME]: server } }),
  },
  cursor: {
    about: {
      title: "Cursor",
      docs: "https://cursor.com/docs/mcp",
      elsewhere: "For all folders: `~/.cursor/mcp.json`.",
    },
    fileIn: ({ project }) => join(project, ".cursor", "mcp.json"),
    render: (server) => quotedText({ mcpServers: { [SERVER_NAME]: { type: "stdio", ...server } } }),
    variable: /\$\{[^}]+\}/g,
  },
  vscode: {
    about: {
      title: "Visual Studio Code",
      elsewhere: "For all folders: *MCP: Open User Configuration*.",
    },
    fileIn: ({ project }) => join(project, ".vscode", "mcp.json"),
    render: (server) => quotedText({ servers: { [SERVER_NAME]: { type: "stdio", ...server } } }),
    variable: /\$\{[^}]+\}/g,
  },
  codex: {
    about: {
      title: "Codex",
      elsewhere: "For all folders: `~/.codex/config.toml`.",
      tried: "@openai/codex",
      remark: "Without `required`, Codex starts without a server that takes more than a second.",
    },
    fileIn: ({ project }) => join(project, ".codex", "config.toml"),
    render: toml,
    note: "Codex reads it once it trusts the folder: start `codex` there and answer its question.",
  },
  gemini: {
    about: {
      title: "Gemini CLI",
      docs: "https://geminicli.com/docs/tools/mcp-server",
      elsewhere: "For all folders: `~/.gemini/settings.json`.",
      tried: "@google/gemini-cli",
      remark: "With `--skip-trust` it starts none of the folder's servers.",
    },
    fileIn: ({ project }) => join(project, ".gemini", "settings.json"),
    render: (server) => quotedText({ mcpServers: { [SERVER_NAME]: server } }),
    variable: /\$(?:\w+|\{[^}]+\})/g,
    note:
      "Gemini CLI starts no server in an untrusted folder: answer its question once, or set " +
      "GEMINI_CLI_TRUST_WORKSPACE=true.",
  },
  opencode: {
    about: {
      title: "opencode",
      docs: "https://opencode.ai/docs/mcp-servers",
      elsewhere: "For all folders: `~/.config/opencode/opencode.json`.",
      tried: "opencode-ai",
      remark: "Versions 1 and 2 read this format.",
    },
    fileIn: ({ project }) => join(project, "opencode.json"),
    render: ({ command, args, env: environment }) =>
      quotedText({
        $schema: "https://opencode.ai/config.json",
        mcp: {
          [SERVER_NAME]: { type: "local", command: [command, ...args], environment, enabled: true },
        },
      }),
    variable: /\{(?:env|file):[^}]+\}/g,
  },
  qwen: {
    about: {
      title: "Qwen Code",
      docs: "https://qwenlm.github.io/qwen-code-docs/en/users/features/mcp/",
      elsewhere: "For all folders: `~/.qwen/settings.json`.",
      tried: "@qwen-code/qwen-code",
    },
    fileIn: ({ project }) => join(project, ".qwen", "settings.json"),
    render: (server) => quotedText({ mcpServers: { [SERVER_NAME]: server } }),
    variable: /\$(?:\w+|\{[^}]+\})/g,
    note: `Qwen Code starts it once it is approved: \`qwen mcp approve ${SERVER_NAME}\`.`,
  },
  copilot: {
    about: {
      title: "GitHub Copilot CLI",
      docs: "https://docs.github.com/en/copilot/how-tos/copilot-cli/customize-copilot/add-mcp-servers",
      elsewhere: "It applies to all folders.",
      tried: "@github/copilot",
    },
    fileIn: ({ home }) => join(home, ".copilot", "mcp-config.json"),
    render: (server) =>
      quotedText({ mcpServers: { [SERVER_NAME]: { type: "local", ...server, tools: ["*"] } } }),
    variable: /\$(?:\w+|\{[^}]+\})/g,
  },
  cline: {
    about: {
      title: "Cline",
      docs: "https://docs.cline.bot/mcp/mcp-overview",
      elsewhere: "In an editor, *MCP Servers → Configure → Configure MCP Servers* opens the file.",
      tried: "by hand, with 3.0.65",
    },
    fileIn: ({ home }) => join(home, ".cline", "data", "settings", "cline_mcp_settings.json"),
    render: (server) =>
      quotedText({ mcpServers: { [SERVER_NAME]: { ...server, disabled: false, autoApprove: [] } } }),
  },
  zed: {
    about: {
      title: "Zed",
      docs: "https://zed.dev/docs/ai/mcp",
      elsewhere: "For all folders: *zed: open settings file*.",
    },
    fileIn: ({ project }) => join(project, ".zed", "settings.json"),
    render: (server) => quotedText({ context_servers: { [SERVER_NAME]: server } }),
  },
  windsurf: {
    about: {
      title: "Windsurf",
      docs: "https://docs.windsurf.com/windsurf/cascade/mcp",
      elsewhere: "It applies to all folders.",
    },
    fileIn: ({ home }) => join(home, ".codeium", "windsurf", "mcp_config.json"),
    render: (server) => quotedText({ mcpServers: { [SERVER_NAME]: server } }),
    variable: /\$\{[^}]+\}/g,
  },
};

/** The settings folder of graphical programs, in the home folder. */
const SETTINGS: Partial<Record<NodeJS.Platform, string>> = {
  darwin: "Library/Application Support",
  win32: "AppData/Roaming",
};

function toml({ command, args, env }: ServerProcess): string {
  return [
    `[mcp_servers.${SERVER_NAME}]`,
    `command = ${quoted(command)}`,
    `args = [${args.map((arg) => quoted(arg)).join(", ")}]`,
    // For the reason see `about.remark` of codex.
    "required = true",
    "",
    `[mcp_servers.${SERVER_NAME}.env]`,
    ...Object.entries(env).map(([name, value]) => `${name} = ${quoted(value)}`),
    "",
  ].join("\n");
}
