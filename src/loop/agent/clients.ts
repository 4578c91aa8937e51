import { claude } from "../../../adapters/agents/claude/claude.ts";
import { codex } from "../../../adapters/agents/codex/codex.ts";
import { fillTemplate } from "../../../adapters/agents/command/launch.ts";
import { commandReader } from "../../../adapters/agents/command/stream.ts";
import { gemini } from "../../../adapters/agents/gemini/gemini.ts";
import { opencode } from "../../../adapters/agents/opencode/opencode.ts";
import type { AgentProgram, ClientKind, Permissions } from "../../config/schema.ts";
import type { Client, CommandLine, Launch } from "./client.ts";
import type { ReadLine } from "./facts.ts";

export { commandEntries, stderrLine } from "../../../adapters/agents/command/entries.ts";
export { programIn } from "../../../adapters/agents/command/launch.ts";

/**
 * The clients that the loop knows: the table of adapters/agents. It is no part of src/adapters.ts, where all is loaded late: a line of an
 * agent's output is parsed at once.
 */
export const clients: Readonly<Record<ClientKind, Client>> = { claude, codex, opencode, gemini };

/** An agent's permissions if its configuration gives none. */
export const DEFAULT_PERMISSIONS: Permissions = "edit";

/**
 * The command line of an agent. The prompt comes on standard input and in a file.
 *
 * @throws ConfigError: an empty template
 */
export function commandLine(program: AgentProgram, launch: Launch): CommandLine {
  if (program.kind === "command") return fillTemplate(program.command, launch);
  const { permissions = DEFAULT_PERMISSIONS } = program;
  return clients[program.kind].launch(program, { ...launch, permissions });
}

/** An agent's permissions, and whether its configuration gives them. */
export function permissionsOf(program: AgentProgram): {
  readonly permissions: Permissions | null;
  readonly permissions_set: boolean;
} {
  if (program.kind === "command") return { permissions: null, permissions_set: false };
  const { permissions } = program;
  return { permissions: permissions ?? DEFAULT_PERMISSIONS, permissions_set: permissions !== undefined };
}

/** Parses the output of one session of an agent. */
export function readerOf(program: AgentProgram): ReadLine {
  return program.kind === "command" ? commandReader() : clients[program.kind].reader();
}
