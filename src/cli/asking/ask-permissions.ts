import { writeChange } from "../../config/change-config.ts";
import type { Config } from "../../config/config.ts";
import { inspectConfig } from "../../config/confirmed.ts";
import { findAgent, PERMISSIONS_MEAN, type Permissions, permissionLevels } from "../../config/schema.ts";
import { pc, print } from "../../lib/terminal/output.ts";
import { DEFAULT_PERMISSIONS } from "../../loop/agent/clients.ts";
import { type Ask, choose, withQuestions } from "./questions.ts";

/**
 * Asks what an agent may do without asking, and writes the answer into the project's configuration, which stays confirmed: who
 * answers has just confirmed the change. Nothing is asked of an agent whose configuration says it, or whose command line is the
 * user's own, nor where nobody has confirmed the configuration, or nobody could.
 *
 * @returns the configuration with the answer
 */
export async function askPermissions(config: Config, readModelPath: string, agent: string): Promise<Config> {
  const program = findAgent(config, agent);
  if (!program || program.kind === "command" || program.permissions !== undefined) return config;
  const before = inspectConfig(readModelPath);
  if (!before.isConfirmed || "problem" in before.record) return config;
  const level = await withQuestions((ask) => choosePermissions(ask, agent));
  writeChange(before, (file) => withAgent(file, agent, { kind: program.kind, permissions: level }));
  print(`${pc.green("✓")} Set agents.${agent}.permissions to ${level} in ${before.path}`);
  const agents = { ...config.agents, [agent]: { ...program, permissions: level } };
  return { ...config, agents };
}

/** Asks what an agent may do without asking. */
export function choosePermissions(ask: Ask, agent: string): Promise<Permissions> {
  const meanings = permissionLevels.map((level) => `  ${pc.bold(level)}: ${PERMISSIONS_MEAN[level]}`);
  const question = [`What may the agent ${pc.bold(agent)} do without asking?`, ...meanings].join("\n");
  return choose(ask, question, permissionLevels, DEFAULT_PERMISSIONS);
}

/** The content of a configuration file with fields of one agent set; all else stays as it is. */
export function withAgent(before: object, agent: string, fields: object): object {
  const agents: object =
    "agents" in before && typeof before.agents === "object" && before.agents ? before.agents : {};
  const own: unknown = Object.getOwnPropertyDescriptor(agents, agent)?.value;
  return { ...before, agents: { ...agents, [agent]: { ...(typeof own === "object" && own), ...fields } } };
}
