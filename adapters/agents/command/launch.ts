import parseArgsStringToArgv from "string-argv";
import { type CommandLine, ConfigError, type Launch, TEMPLATE_PLACES } from "../core.ts";

/**
 * The command line of a program that the loop does not know. Words are split as in a shell before
 * values are filled in, so that a path with blanks stays one word.
 *
 * @throws ConfigError: an empty template
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
    // The configuration allows no other placeholders.
    word.replace(/\{(\w+)\}/g, (whole, name: string) => {
      const place = TEMPLATE_PLACES.find((known) => known === name);
      return place === undefined ? whole : values[place];
    }),
  );
  if (!file) throw new ConfigError("The agent's command is empty. It must begin with the name of a program.");
  return { file, args };
}

/** The program of a template, as it is started; empty if there is none. */
export function programIn(command: string): string {
  return parseArgsStringToArgv(command)[0] ?? "";
}
