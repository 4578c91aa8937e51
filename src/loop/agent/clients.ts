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

/** What an agent may do whose configuration does not say it. */
export const DEFAULT_PERMISSIONS: Permissions = "edit";

/**
 * The command line of an agent. The prompt is its standard input as well as a file.
 *
 * @throws ConfigError: a template without a word
 */
export function commandLine(program: AgentProgram, launch: Launch): CommandLine {
  if (program.kind === "command") return fillTemplate(program.command, launch);
  const { permissions = DEFAULT_PERMISSIONS } = program;
  return clients[program.kind].launch(program, { ...launch, permissions });
}

/** What an agent may do, and whether its configuration says it. */
export function permissionsOf(program: AgentProgram): {
  readonly permissions: Permissions | null;
  readonly permissions_set: boolean;
} {
  if (program.kind === "command") return { permissions: null, permissions_set: false };
  const { permissions } = program;
  return { permissions: permissions ?? DEFAULT_PERMISSIONS, permissions_set: permissions !== undefined };
}

/** Reads the output of one session of an agent. */
export function readerOf(program: AgentProgram): ReadLine {
  return program.kind === "command" ? commandReader() : clients[program.kind].reader();
}
