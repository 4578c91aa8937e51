import parseArgsStringToArgv from "string-argv";
import { type AgentProgram, ConfigError } from "../../config/config.ts";
import { TEMPLATE_PLACES } from "../../config/schema.ts";
import { claudeMcpArguments } from "../../mcp/launching/mcp-config.ts";

/** What the command line of an agent is made of. */
export interface Launch {
  readonly task: number;
  readonly session: string;
  readonly promptFile: string;
  readonly mcpConfig: string;
  /** The names of the MCP servers in it. */
  readonly servers: readonly string[];
  /** The agent's own id of its conversation; a UUID. */
  readonly conversation: string;
  readonly model: string | undefined;
  /** What is left of the loop's budget, in US dollars. */
  readonly budgetUsd: number | undefined;
}

export interface CommandLine {
  readonly file: string;
  readonly args: readonly string[];
}

/**
 * The command line of an agent. The prompt is its standard input as well as a file.
 *
 * @throws ConfigError: a template without a word
 */
export function commandLine(program: AgentProgram, launch: Launch): CommandLine {
  return program.kind === "claude" ? claude(program, launch) : template(program.command, launch);
}

function claude({ command, args }: Extract<AgentProgram, { kind: "claude" }>, launch: Launch): CommandLine {
  return {
    file: command,
    args: [
      "-p",
      ...claudeMcpArguments(launch.mcpConfig, launch.servers),
      "--output-format",
      "stream-json",
      "--verbose",
      "--session-id",
      launch.conversation,
      ...(launch.model === undefined ? [] : ["--model", launch.model]),
      ...(launch.budgetUsd === undefined ? [] : ["--max-budget-usd", launch.budgetUsd.toFixed(4)]),
      ...args,
    ],
  };
}

/** Words are split as a shell would, before anything is filled in: a path with blanks stays one word. */
function template(command: string, launch: Launch): CommandLine {
  const values: Readonly<Record<(typeof TEMPLATE_PLACES)[number], string>> = {
    prompt_file: launch.promptFile,
    mcp_config: launch.mcpConfig,
    task: String(launch.task),
    session: launch.session,
    conversation: launch.conversation,
    model: launch.model ?? "",
  };
  const [file, ...args] = parseArgsStringToArgv(command).map((word) =>
    // Others than these were refused with the configuration.
    word.replace(/\{(\w+)\}/g, (whole, name: string) => {
      const place = TEMPLATE_PLACES.find((known) => known === name);
      return place === undefined ? whole : values[place];
    }),
  );
  if (!file) throw new ConfigError("The agent's command is empty; it begins with the name of a program.");
  return { file, args };
}
