import { dirname } from "node:path";
import { type AgentProgram, agentNamed, type Config, ConfigError, parseConfig } from "../../config/config.ts";
import { confirmedConfig, UnconfirmedConfigError } from "../../config/confirmed.ts";
import { type ClientProgram, PERMISSIONS_MEAN } from "../../config/schema.ts";
import { ralphFolderOf } from "../../lib/project-folder.ts";
import { installAdvice } from "../agent/advice.ts";
import type { Client } from "../agent/client.ts";
import { clients, DEFAULT_PERMISSIONS, programIn } from "../agent/clients.ts";
import { type Check, type Finding, failed, ok, type Place, skipped, warning } from "./check.ts";
import { isAtLeast } from "./installation.ts";
import { findProgram, run } from "./program.ts";

/**
 * Checks the program of each agent that a loop would launch: present, version, login, permissions.
 */
export const agentCheck: Check = {
  name: "agent",
  async look(place) {
    const config = programsToTry(place);
    if ("name" in config) return [config];
    const findings: Finding[] = [];
    for (const name of namesIn(config))
      findings.push(...(await lookAt(name, agentNamed(config, name), place)));
    return findings;
  },
};

/** Only starts an agent's program (for its version) if the configuration is confirmed. */
function programsToTry({ readModelPath, env }: Place): Config | Finding {
  try {
    return readModelPath === undefined ? parseConfig({}, "") : confirmedConfig(readModelPath, env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const isUnconfirmed = error instanceof UnconfirmedConfigError;
    return skipped("agent", `the configuration ${isUnconfirmed ? "is not confirmed" : "cannot be used"}`);
  }
}

function namesIn({ agent, escalation }: Config): Set<string> {
  return new Set([agent, ...(escalation.agent === undefined ? [] : [escalation.agent])]);
}

async function lookAt(agent: string, program: AgentProgram, place: Place): Promise<Finding[]> {
  const name = `agent ${agent}`;
  const client = program.kind === "command" ? undefined : clients[program.kind];
  const command = client ? program.command : programIn(program.command);
  const { readModelPath, env } = place;
  const cwd = readModelPath === undefined ? place.cwd : dirname(ralphFolderOf(readModelPath));
  const path = findProgram(command, { cwd, env });
  if (path === undefined) {
    const found = `There is no program ${command} ${command.includes("/") ? "there" : "on PATH"}`;
    return [failed(name, found, installAdvice({ agentName: agent, program }))];
  }
  const answer = await run(path, ["--version"], { cwd, env });
  const said = answer.stdout.trim().split("\n")[0] ?? "";
  if (answer.stopped) return [warning(name, `${path} --version does not exit`, `Try \`${path} --version\`.`)];
  const told = answer.exitCode === 0 ? said : "";
  if (!client || program.kind === "command")
    return [ok(name, told === "" ? `${path}, version unknown` : `${path}: ${told}`)];
  const more = await client.look(path, { ...place, cwd });
  return [
    judgeClient(name, path, told, client),
    ...more.map((finding) => ({ ...finding, name: `${name} ${finding.name}` })),
    permissionsFinding(`${name} permissions`, agent, program),
  ];
}

/** @param said its answer to `--version`, such as `2.1.329 (Claude Code)` */
export function judgeClient(
  name: string,
  path: string,
  said: string,
  { title, tried, install }: Pick<Client, "title" | "tried" | "install">,
): Finding {
  const version = /\d+\.\d+\.\d+/.exec(said)?.[0];
  if (version === undefined) {
    return warning(
      name,
      `${path} does not report a version of ${title}`,
      `Try \`${path} --version\`, or install it again.`,
    );
  }
  return isAtLeast(version, tried)
    ? ok(name, `${path}: ${said}`)
    : warning(
        name,
        `${path}: ${said}; older than ${tried}, the oldest tested version`,
        `Update it: \`${install}\`.`,
      );
}

function permissionsFinding(name: string, agent: string, { permissions }: ClientProgram): Finding {
  const found = `${permissions ?? DEFAULT_PERMISSIONS}: ${PERMISSIONS_MEAN[permissions ?? DEFAULT_PERMISSIONS]}`;
  // An open choice, not a fault.
  return ok(name, permissions === undefined ? `not set in agents.${agent}, so ${found}` : found);
}
