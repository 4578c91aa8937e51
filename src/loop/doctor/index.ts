import { errorMessage } from "../../lib/error-message.ts";
import { agentCheck } from "./agent.ts";
import { callersCheck } from "./callers.ts";
import type { Check, Finding, Place } from "./check.ts";
import { configCheck } from "./config.ts";
import { diskCheck } from "./disk.ts";
import { gatesCheck } from "./gates.ts";
import { gitCheck } from "./git.ts";
import { nodeCheck, sqliteCheck } from "./installation.ts";
import { logCheck } from "./log.ts";
import { loginCheck } from "./login.ts";
import { mcpFolderCheck } from "./mcp-folder.ts";
import { mcpCheck } from "./mcp-server.ts";
import { sessionsCheck } from "./open-sessions.ts";
import { projectCheck } from "./project.ts";
import { readModelCheck } from "./read-model.ts";
import { sandboxCheck } from "./sandbox.ts";
import { serversCheck } from "./servers.ts";

/** Ordered by dependency. To add one: a file here, and its name. */
const checks: readonly Check[] = [
  nodeCheck,
  sqliteCheck,
  projectCheck,
  diskCheck,
  serversCheck,
  logCheck,
  readModelCheck,
  configCheck,
  loginCheck,
  agentCheck,
  mcpCheck,
  mcpFolderCheck,
  gitCheck,
  gatesCheck,
  sandboxCheck,
  callersCheck,
  sessionsCheck,
];

/**
 * Checks the whole installation, one thing after another, and writes nothing: no event, no file.
 *
 * @returns the findings of each check, in order
 */
export async function examine(place: Place): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const check of checks) findings.push(...(await lookOrFail(check, place)));
  return findings;
}

/** An error in a check is a finding; the other checks go on. */
async function lookOrFail(check: Check, place: Place): Promise<readonly Finding[]> {
  try {
    return await check.look(place);
  } catch (error) {
    const found = errorMessage(error);
    return [{ name: check.name, state: "failed", found }];
  }
}
