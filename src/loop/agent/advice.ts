import type { AgentProgram } from "../../config/config.ts";
import { PERMISSIONS_MEAN } from "../../config/schema.ts";
import { deniedWords } from "../../events/types/denied-words.ts";
import { clients, DEFAULT_PERMISSIONS } from "./clients.ts";
import type { SetupFault } from "./verdict.ts";

/** The agent that the advice is about. */
export interface OfAgent {
  readonly agentName: string;
  readonly program: AgentProgram;
}

/** Advice for an agent that is set up wrongly; `signalbox doctor` uses the same words. */
export function adviceOn(fault: SetupFault, of: OfAgent): string {
  const { agentName: name, program } = of;
  const client = program.kind === "command" ? undefined : clients[program.kind];
  const own = `agents.${name} in .ralph/config.json`;
  switch (fault) {
    case "no_program":
      return installAdvice(of);
    case "command_line":
      return client
        ? `Correct "args" of ${own}, or update ${client.title}: \`${client.install}\`.`
        : `Correct the command of ${own}.`;
    case "no_login":
      return client ? client.login : `Log in, or correct the key of agent "${name}".`;
    case "unknown_model":
      return `Name an existing model in "model" of ${own}.`;
  }
}

/** Advice for a missing agent program. */
export function installAdvice({ agentName, program }: OfAgent): string {
  if (program.kind === "command")
    return `Install it, or correct the command of agent "${agentName}" in .ralph/config.json.`;
  const { title, install } = clients[program.kind];
  return `Install ${title}: \`${install}\`, or name another agent in .ralph/config.json (docs/config.md).`;
}

/** The tools that a client denied its agent, and the remedy. */
export function deniedAdvice({
  agentName,
  program,
  denied,
}: OfAgent & { readonly denied: ReadonlyMap<string, string> }): string {
  const times = new Map<string, number>();
  for (const tool of denied.values()) times.set(tool, (times.get(tool) ?? 0) + 1);
  const tools = deniedWords([...times].map(([tool, count]) => ({ tool, times: count })));
  const not = `the agent was not allowed to use ${tools}`;
  if (program.kind === "command") return `${not}. Change that in the command of agent "${agentName}".`;
  const permissions = program.permissions ?? DEFAULT_PERMISSIONS;
  return `${not}; its permissions are ${permissions}: ${PERMISSIONS_MEAN[permissions]}. Change "permissions" of agents.${agentName} in .ralph/config.json (read, edit or full).`;
}
