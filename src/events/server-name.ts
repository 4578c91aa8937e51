/**
 * The name of our MCP server, and with it the prefix of its tools in clients (`mcp__ralph__done`).
 */
export const SERVER_NAME = "ralph";

/**
 * The first server name, in alphabetical order, that clashes with ours. Clients name a tool
 * `mcp__SERVER__TOOL`, so a name that starts with ours and two underscores would pass for ours.
 */
export function clashingName(servers: Readonly<Record<string, unknown>>): string | undefined {
  return Object.keys(servers)
    .sort()
    .find((name) => name === SERVER_NAME || name.startsWith(`${SERVER_NAME}__`));
}
