import parseArgsStringToArgv from "string-argv";
import { ConfigError } from "../../../config/config.ts";
import { TEMPLATE_PLACES } from "../../../config/schema.ts";
import type { CommandLine, Launch } from "../client.ts";

/**
 * The command line of a program that the loop does not know. Words are split as a shell would, before anything is filled in:
 * a path with blanks stays one word.
 *
 * @throws ConfigError: a template without a word
 */
export function fillTemplate(command: string, launch: Launch): CommandLine {
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
  if (!file) throw new ConfigError("The agent's command is empty. It must begin with the name of a program.");
  return { file, args };
}
