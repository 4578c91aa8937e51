import type { AgentProgram, ClientKind, Permissions } from "../../config/schema.ts";
import { claude } from "./claude/claude.ts";
import type { Client, CommandLine, Launch } from "./client.ts";
import { codex } from "./codex/codex.ts";
import { fillTemplate } from "./command/launch.ts";
import { commandReader } from "./command/stream.ts";
import type { ReadLine } from "./facts.ts";
import { gemini } from "./gemini/gemini.ts";
import { opencode } from "./opencode/opencode.ts";

/** The clients that the loop knows. */
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
