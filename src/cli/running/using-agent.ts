import type { Config } from "../../config/config.ts";
import { findAgent } from "../../config/schema.ts";

/**
 * The configuration with another agent: one of its own, or else a command, which has blanks or places, or is a path. Whoever uses it
 * asks for the agent, and is told where there is none of the name.
 */
export function usingAgent(config: Config, agent: string | undefined): Config {
  if (agent === undefined) return config;
  if (findAgent(config, agent) !== undefined || !/[\s{/]/.test(agent)) return { ...config, agent };
  const agents = { ...config.agents, [COMMAND_LINE]: { kind: "command" as const, command: agent } };
  return { ...config, agent: COMMAND_LINE, agents };
}

/** The name that an agent has which was given as a command. */
const COMMAND_LINE = "command";
