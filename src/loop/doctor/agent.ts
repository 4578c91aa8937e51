import { dirname } from "node:path";
import { type AgentProgram, agentNamed, type Config, ConfigError, parseConfig } from "../../config/config.ts";
import { confirmedConfig, UnconfirmedConfigError } from "../../config/confirmed.ts";
import { ralphFolderOf } from "../../events/project-folder.ts";
import { type Check, type Finding, failed, ok, type Place, skipped, warning } from "./check.ts";
import { isAtLeast } from "./installation.ts";
import { findProgram, run } from "./program.ts";

/** The oldest Claude Code that the loop was tried with. */
const TRIED = "2.1.329";

/** Whether the program of each agent that a loop would launch is there, and says its version. */
export const agentCheck: Check = {
  name: "agent",
  async look(place) {
    const config = programsToTry(place);
    if ("name" in config) return [config];
    const findings: Finding[] = [];
    for (const name of namesIn(config)) findings.push(await lookAt(name, agentNamed(config, name), place));
    return findings;
  },
};

/** An agent's program is started to hear its version: by a configuration that was confirmed, or not at all. */
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

async function lookAt(agent: string, program: AgentProgram, place: Place): Promise<Finding> {
  const name = `agent ${agent}`;
  const command = program.kind === "claude" ? program.command : wordsOf(program.command);
  const { readModelPath, env } = place;
  const cwd = readModelPath === undefined ? place.cwd : dirname(ralphFolderOf(readModelPath));
  const path = findProgram(command, { cwd, env });
  if (path === undefined) {
    const mend =
      program.kind === "claude"
        ? "Install Claude Code, or name another agent in .ralph/config.json (docs/config.md)."
        : `Install it, or put the command of agent "${agent}" right in .ralph/config.json.`;
    return failed(
      name,
      `There is no program ${command} ${command.includes("/") ? "there" : "on PATH"}`,
      mend,
    );
  }
  const answer = await run(path, ["--version"], { cwd, env });
  const said = answer.stdout.trim().split("\n")[0] ?? "";
  if (answer.stopped)
    return warning(name, `${path} --version does not come to an end`, `Try \`${path} --version\`.`);
  if (program.kind === "claude") return judgeClaude(name, path, answer.exitCode === 0 ? said : "");
  return ok(
    name,
    answer.exitCode === 0 && said !== "" ? `${path}: ${said}` : `${path}, which tells no version`,
  );
}

/** @param said what it answered to `--version`, such as `2.1.329 (Claude Code)` */
export function judgeClaude(name: string, path: string, said: string): Finding {
  const version = /\d+\.\d+\.\d+/.exec(said)?.[0];
  if (version === undefined) {
    return warning(
      name,
      `${path} tells no version of Claude Code`,
      `Try \`${path} --version\`; install it again.`,
    );
  }
  return isAtLeast(version, TRIED)
    ? ok(name, `${path}: ${said}`)
    : warning(name, `${path}: ${said}; older than ${TRIED}, not tried`, "Update it: `claude update`.");
}

/** The program is the first word of a template. */
function wordsOf(template: string): string {
  return template.trim().split(/\s+/)[0] ?? "";
}
