import { once } from "node:events";
import { type Command, InvalidArgumentError } from "commander";
import type { Project } from "../../project.ts";
import {
  type CommonOptions,
  EXIT,
  folderOf,
  guarded,
  parseWhole,
  projectOptions,
  withProject,
} from "../command.ts";
import { fail, pc, print, printJson } from "../output.ts";

interface ServeCommandOptions extends CommonOptions {
  readonly actor: string;
  readonly port?: number;
  readonly host: string;
  readonly readOnly?: boolean;
}

export function addServe(program: Command): void {
  projectOptions(
    program
      .command("serve")
      .description(
        "serve the panel: a page on which a person watches agents work, answers them, and looks back",
      ),
  )
    .option(
      "--port <number>",
      "absent: the first that is free from 4100 on; 0 takes any that is free",
      parsePort,
    )
    .option(
      "--host <address>",
      "what to listen on; other machines can reach anything but a loopback address",
      "127.0.0.1",
    )
    .option("--read-only", "show, and let nothing be done")
    .option("--actor <name>", "who decides, as the log names them", "human")
    .addHelpText(
      "after",
      "\nOpen the address that it prints: the token in it lets you in, and nobody else. Ctrl-C ends it.\n\nExample:\n  signalbox serve --port 4101",
    )
    .action((options: ServeCommandOptions) =>
      guarded(() => withProject(options, (project) => serve(project, options))),
    );
}

async function serve(project: Project, options: ServeCommandOptions): Promise<void> {
  const panel = await start(project, options);
  if (!panel) return;
  if (options.json) printJson({ address: panel.address, port: panel.port });
  else {
    print(`The panel of ${folderOf(options)}:\n\n  ${pc.cyan(panel.address)}\n`);
    print(pc.dim("Whoever has this address can decide in your name. Ctrl-C ends it."));
  }
  await stopped();
  await panel.close();
}

/** On the port that was asked for; else on the first that is free, since another project's panel may have the usual one. */
async function start(project: Project, { port, host, readOnly = false }: ServeCommandOptions) {
  const { servePanel } = await import("../../web/server/serve.ts");
  const ports = port === undefined ? [...Array(PORTS).keys()].map((nth) => FIRST_PORT + nth) : [port];
  for (const tried of ports) {
    try {
      return await servePanel(project, { port: tried, host, readOnly });
    } catch (error) {
      if (!isTaken(error)) throw error;
    }
  }
  const what =
    port === undefined ? `Ports ${FIRST_PORT} to ${FIRST_PORT + PORTS - 1} are` : `Port ${port} is`;
  fail(
    `${what} in use on ${host}. Name another one with --port; 0 takes any that is free.`,
    "port_in_use",
    EXIT.unusable,
  );
  return undefined;
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EADDRINUSE";
}

const FIRST_PORT = 4_100;
const PORTS = 20;

/** Until somebody wants it to end. */
function stopped(): Promise<unknown> {
  return Promise.race(["SIGINT", "SIGTERM", "SIGHUP"].map((signal) => once(process, signal)));
}

function parsePort(text: string): number {
  const port = parseWhole(text);
  if (port > 65_535) throw new InvalidArgumentError("It must be a port: 0 to 65535.");
  return port;
}
