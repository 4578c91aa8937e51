import { type Command, Option } from "commander";
import { type ClientName, clientNames } from "../../mcp/client-names.ts";

interface Options {
  readonly db?: string;
  readonly json?: boolean;
  readonly printConfig?: ClientName;
}

export function addMcp(program: Command): void {
  program
    .command("mcp")
    .description(
      "serve the MCP tools of one session over stdin and stdout, for an agent; or print a client's configuration",
    )
    .option(
      "--db <path>",
      "the read model's file; absent: RALPH_DB_PATH, or with --print-config that of the nearest folder upwards with .ralph/",
    )
    .addOption(
      new Option(
        "--print-config <client>",
        "serve nothing, print what your own client wants instead",
      ).choices(clientNames),
    )
    .option("--json", 'with --print-config: print {"client", "file", "content"}')
    .addHelpText(
      "after",
      `
Environment: RALPH_TASK_ID, RALPH_SESSION_ID, RALPH_DB_PATH, as \`signalbox session start TASK --json\` prints them;
RALPH_WORKSPACE, where the agent works in another folder than the project's.

Example:
  signalbox mcp --print-config claude`,
    )
    .action(async ({ printConfig: client, ...options }: Options, command: Command) => {
      if (client !== undefined) {
        const { printConfig } = await import("./mcp-print-config.ts");
        await printConfig(client, options);
      } else if (options.json) command.error("error: --json goes with --print-config CLIENT");
      else {
        const { serve } = await import("./mcp-serve.ts");
        await serve(options);
      }
    });
}
