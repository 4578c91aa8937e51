import { type Command, Option } from "commander";
import { type ClientName, clientNames } from "../../mcp/client-names.ts";
import { type ServerOptions, serverOptions } from "../making/server-options.ts";
import type { Transport } from "../making/transport.ts";

interface Options extends ServerOptions, Transport {
  readonly db?: string;
  readonly json?: boolean;
  readonly printConfig?: ClientName;
  readonly via?: string;
  readonly http?: boolean;
}

/** Written for commander: runs until it is stopped. */
export function addMcp(program: Command): void {
  const command = program
    .command("mcp")
    .description(
      "serve one session's MCP tools to an agent over stdin and stdout, or those of all sessions over HTTP; or print a client's configuration",
    )
    .option(
      "--db <path>",
      "the read model's file (default: RALPH_DB_PATH; with --print-config, the nearest .ralph/ in this folder or above)",
    )
    .addOption(
      new Option(
        "--print-config <client>",
        "print the configuration for your own client instead of serving",
      ).choices(clientNames),
    )
    .addOption(
      new Option(
        "--transport <kind>",
        "with --print-config: your client starts a server (stdio), or asks the one that runs, with a new token (http)",
      ).choices(["stdio", "http"]),
    )
    .option(
      "--url <url>",
      "with --transport http: the server's address as the client reaches it (default: that of the server that runs here)",
    )
    .option(
      "--via <socket>",
      "connect to a session that `signalbox run` serves on a socket when `relay` is set; needs no project",
    )
    .option("--http", "serve the tools of all sessions at /mcp, each to the holder of its token");
  serverOptions(command)
    .option(
      "--json",
      'with --print-config: print {"client", "file", "content"}; with --http: print {"url", "port"}',
    )
    .addHelpText(
      "after",
      `
Environment: RALPH_TASK_ID, RALPH_SESSION_ID, RALPH_DB_PATH, as \`signalbox session start TASK --json\` prints them;
RALPH_WORKSPACE, if the agent works in another folder than the project's.

Example:
  signalbox mcp --print-config claude`,
    )
    .action(async ({ printConfig: client, via: socket, http, ...options }: Options, command: Command) => {
      if (client === undefined && (options.transport !== undefined || options.url !== undefined))
        command.error("error: --transport and --url need --print-config CLIENT");
      if (http) {
        if (client !== undefined || socket !== undefined)
          command.error("error: --http, --via and --print-config exclude each other");
        const { serveHttp } = await import("./mcp-http.ts");
        await serveHttp(options);
        return;
      }
      if (socket !== undefined) {
        if (client !== undefined || options.db !== undefined || options.json)
          command.error("error: --via takes no other option: the driver alone decides what it serves");
        const { via } = await import("./mcp-via.ts");
        await via(socket);
      } else if (client !== undefined) {
        const { printConfig } = await import("./mcp-print-config.ts");
        await printConfig(client, options);
      } else if (options.json) command.error("error: --json needs --print-config CLIENT or --http");
      else {
        const { serve } = await import("./mcp-serve.ts");
        await serve(options);
      }
    });
}
