import { createInterface } from "node:readline/promises";
import { type Config, parseConfig } from "../config/config.ts";
import { confirmConfig, inspectConfig } from "../config/confirmed.ts";
import {
  type AgentProgram,
  findAgent,
  PERMISSIONS_MEAN,
  type Permissions,
  permissionLevels,
} from "../config/schema.ts";
import { writeWhole } from "../lib/write-whole.ts";
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
  const { path, file } = before;
  const content = withPermissions(file && JSON.parse(file.text), agent, program.kind, level);
  const text = `${JSON.stringify(content, null, 2)}\n`;
  writeWhole(path, text);
  const after = inspectConfig(readModelPath);
  // What somebody else has written meanwhile is not what was confirmed.
  if (after.file?.text === text) confirmConfig(after);
  print(`${pc.green("✓")} Set agents.${agent}.permissions to ${level} in ${path}`);
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
  file: unknown,
  agent: string,
  kind: AgentProgram["kind"],
  permissions: Permissions,
): object {
  const before = typeof file === "object" && file !== null ? file : {};
  const agents: object =
    "agents" in before && typeof before.agents === "object" && before.agents ? before.agents : {};
  const own: unknown = Object.getOwnPropertyDescriptor(agents, agent)?.value;
  const after = {
    ...before,
    agents: { ...agents, [agent]: { kind, ...(typeof own === "object" && own), permissions } },
  };
  // What was legal before is so afterwards; whatever is not is better found now.
  parseConfig(after, "the configuration");
  return after;
}
