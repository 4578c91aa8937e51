import { SERVER_NAME } from "../events/server-name.ts";
import type { ClientName } from "./client-names.ts";
import { quoted, quotedText } from "./quoted.ts";

/** Our server where it runs already. */
export interface ServerAddress {
  /** Of its `/mcp`. */
  readonly url: string;
  readonly headers: { readonly Authorization: string };
}

/** How each client's configuration names a server over Streamable HTTP; undefined: it cannot. */
export const remotes: Readonly<Record<ClientName, ((server: ServerAddress) => string) | undefined>> = {
  claude: (server) => inServers({ type: "http", ...server, alwaysLoad: true }),
  // Its file has none that run elsewhere, and its connectors log in by OAuth.
  "claude-desktop": undefined,
  cursor: inServers,
  vscode: (server) => quotedText({ servers: { [SERVER_NAME]: { type: "http", ...server } } }),
  codex: toml,
  // Its `url` is the transport before this one.
  gemini: ({ url, headers }) => inServers({ httpUrl: url, headers }),
  opencode: (server) =>
    quotedText({
      $schema: "https://opencode.ai/config.json",
      // Without `oauth` it would try to log in once the token has ended.
      mcp: { [SERVER_NAME]: { type: "remote", ...server, oauth: false, enabled: true } },
    }),
  qwen: ({ url, headers }) => inServers({ httpUrl: url, headers }),
  copilot: (server) => inServers({ type: "http", ...server, tools: ["*"] }),
  cline: (server) => inServers({ type: "streamableHttp", ...server, disabled: false, autoApprove: [] }),
  zed: (server) => quotedText({ context_servers: { [SERVER_NAME]: server } }),
  windsurf: ({ url, headers }) => inServers({ serverUrl: url, headers }),
};

function inServers(entry: object): string {
  return quotedText({ mcpServers: { [SERVER_NAME]: entry } });
}

function toml({ url, headers }: ServerAddress): string {
  return [
    `[mcp_servers.${SERVER_NAME}]`,
    `url = ${quoted(url)}`,
    `http_headers = { Authorization = ${quoted(headers.Authorization)} }`,
    "required = true",
    "",
  ].join("\n");
}
