/** The actor of everything that comes through an agent's MCP server; what has another actor came from a human or a driver. */
export const AGENT = "agent";

/** The actor of what a human decides, where nobody says a name. */
export const HUMAN = "human";
