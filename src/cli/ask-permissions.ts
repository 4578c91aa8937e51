import { createInterface } from "node:readline/promises";
import { writeChange } from "../config/change-config.ts";
import type { Config } from "../config/config.ts";
import { inspectConfig } from "../config/confirmed.ts";
import {
  type AgentProgram,
  findAgent,
  PERMISSIONS_MEAN,
  type Permissions,
  permissionLevels,
} from "../config/schema.ts";
import { DEFAULT_PERMISSIONS } from "../loop/agent/clients.ts";
import { pc, print } from "../terminal/output.ts";

/** Whether somebody is there who can be asked. */
export function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stdout.isTTY === true;
}

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
  print(`What may the agent ${pc.bold(agent)} do without asking?`);
  for (const level of permissionLevels) print(`  ${pc.bold(level)}: ${PERMISSIONS_MEAN[level]}`);
  const level = await choose();
  writeChange(before, (file) => withPermissions(file, agent, program.kind, level));
  print(`${pc.green("✓")} Set agents.${agent}.permissions to ${level} in ${before.path}`);
  const agents = { ...config.agents, [agent]: { ...program, permissions: level } };
  return { ...config, agents };
}

async function choose(): Promise<Permissions> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    for (;;) {
      const answer = await terminal.question(`${permissionLevels.join(", ")} [${DEFAULT_PERMISSIONS}]: `);
      const word = answer.trim() || DEFAULT_PERMISSIONS;
      const level = permissionLevels.find((known) => known === word);
      if (level) return level;
      print(`Answer with ${permissionLevels.join(", ")}.`);
    }
  } finally {
    terminal.close();
  }
}

/** The content of the file with the level of one agent set; all else stays as it is. */
function withPermissions(
  before: object,
  agent: string,
  kind: AgentProgram["kind"],
  permissions: Permissions,
): object {
  const agents: object =
    "agents" in before && typeof before.agents === "object" && before.agents ? before.agents : {};
  const own: unknown = Object.getOwnPropertyDescriptor(agents, agent)?.value;
  return {
    ...before,
    agents: { ...agents, [agent]: { kind, ...(typeof own === "object" && own), permissions } },
  };
}
