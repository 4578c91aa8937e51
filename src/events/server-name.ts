/** The name of our MCP server, by which clients and agents know its tools (`mcp__ralph__done`). */
export const SERVER_NAME = "ralph";

/**
 * The first name, in the order of names, of a server that cannot be beside ours. A client knows a tool as
 * `mcp__SERVER__TOOL`: also a name that begins with ours and two lines would pass for ours.
 */
export function clashingName(servers: Readonly<Record<string, unknown>>): string | undefined {
  return Object.keys(servers)
    .sort()
    .find((name) => name === SERVER_NAME || name.startsWith(`${SERVER_NAME}__`));
}
