import { clashingName, SERVER_NAME } from "../../events/server-name.ts";
import type { McpServers } from "../../events/types/mcp-fields.ts";
import { packagePath } from "../../lib/package-root.ts";
import { ToldError } from "../../lib/told-error.ts";

/**
 * The process that serves our tools; with absolute paths, since clients start it in other folders.
 */
export function serverProcess<Env extends object>(env: Env) {
  return { ...serverCommand(), env };
}

/** The same for a session that a driver serves on a socket: it needs nothing from its environment. */
export function relayedProcess(socket: string) {
  const { command, args } = serverCommand();
  return { command, args: [...args, "--via", socket], env: {} };
}

function serverCommand() {
  return { command: process.execPath, args: [packagePath("bin/signalbox.js"), "mcp"] };
}

/** Our server over HTTP. @param url of its `/mcp` */
export function httpServer(url: string, token: string): OwnServer {
  return { type: "http", ...addressOf(url, token) };
}

/** Its address, with the header that the token goes in. */
export function addressOf(url: string, token: string) {
  return { url, headers: { Authorization: `Bearer ${token}` } };
}

/** Our server as a client's configuration has it. */
export type OwnServer = McpServers[string];

/**
 * The servers of a session: ours, then the others sorted by name.
 *
 * @throws McpConfigError: another server's name clashes with ours
 */
export function sessionServers(own: OwnServer, servers: McpServers = {}): McpServers {
  checkServerNames(servers);
  const names = Object.keys(servers).sort();
  return Object.fromEntries([
    [SERVER_NAME, own],
    ...names.flatMap((name) => (servers[name] ? [[name, servers[name]] as const] : [])),
  ]);
}

/** The text of a client's `--mcp-config` file for these servers. */
export function mcpConfigText(servers: McpServers): string {
  // Clients rarely call tools that they have to search for first.
  const ours = { ...servers[SERVER_NAME], alwaysLoad: true };
  return `${JSON.stringify({ mcpServers: { ...servers, [SERVER_NAME]: ours } }, undefined, 2)}\n`;
}

/**
 * The arguments with which Claude Code uses only a file's servers.
 *
 * @param allowed the names of servers whose tools need no permission: an unattended agent must be
 * able to use all of its session's, since a human gave its discipline these servers for use
 */
export function claudeMcpArguments(mcpConfig: string, allowed: readonly string[]): string[] {
  const tools = allowed.map((name) => `mcp__${name}`).join(",");
  return [
    "--mcp-config",
    mcpConfig,
    "--strict-mcp-config",
    ...(allowed.length > 0 ? ["--allowedTools", tools] : []),
  ];
}

/** Two servers of a session would have the same name; `message` says which, and what to do. */
export class McpConfigError extends ToldError<"server_clash"> {
  override readonly name = "McpConfigError";
  readonly fault = "refused";

  constructor(message: string) {
    super("server_clash", message);
  }
}

/** An older version may have recorded such a name. @throws McpConfigError */
export function checkServerNames(servers: McpServers): void {
  const clash = clashingName(servers);
  if (clash === undefined) return;
  throw new McpConfigError(
    `The discipline's MCP server "${clash}" has the name of signalbox's own server, ` +
      `"${SERVER_NAME}", by which agents know its tools. Give it another name.`,
  );
}
