/** The name of our MCP server, by which clients and agents know its tools (`mcp__ralph__done`). */
export const SERVER_NAME = "ralph";
