import { once } from "node:events";
import { basename } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { HUMAN, isNameOfPerson } from "../../events/actors.ts";
import { controlLoops } from "../../loop/starting/loop-control.ts";
import type { Project } from "../../project/project.ts";
import { fail, pc, print, printJson } from "../../terminal/output.ts";
import {
  type CommonOptions,
  EXIT,
  folderOf,
  guarded,
  parseWhole,
  projectOptions,
  warn,
  withProject,
} from "../command.ts";
import { fleetWatchOf } from "../fleet-watch.ts";

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
      .description("serve the panel: a web page to watch agents, answer them and look back"),
  )
    .option(
      "--port <number>",
      "the port; 0 takes any free port (default: the first free port from 4100)",
      parsePort,
    )
    .option(
      "--host <address>",
      "the address to listen on; any other than a loopback address can be reached from other machines",
      parseHost,
      "127.0.0.1",
    )
    .option("--read-only", "allow no changes, and record nothing")
    .option("--actor <name>", "your name in the log, which also signs comments", parseActor, HUMAN)
    .addHelpText(
      "after",
      "\nOpen the printed address: its token gives access, so keep it to yourself. Ctrl-C stops the server.\n\nExample:\n  signalbox serve --port 4101",
    )
    .action((options: ServeCommandOptions) =>
      guarded(() => withProject({ ...options, mayLag: true }, (project) => serve(project, options))),
    );
}

async function serve(project: Project, options: ServeCommandOptions): Promise<void> {
  const panel = await start(project, options);
  if (!panel) return;
  if (!panel.isLocal) {
    warn(
      `other machines can reach this panel on ${options.host}. It is plain HTTP: anyone who can read the traffic can read the token.`,
    );
  }
  const { address, addresses, port } = panel;
  if (options.json) printJson({ address, addresses, port });
  else {
    print(`Panel of ${folderOf(options)}:\n\n${addresses.map((one) => `  ${pc.cyan(one)}\n`).join("")}`);
    print(pc.dim(`${worthOf(options)} Ctrl-C stops the server.`));
  }
  await stopped();
  await panel.close();
}

function worthOf({ readOnly }: ServeCommandOptions): string {
  return readOnly
    ? "Anyone with this address can see the whole project."
    : "Anyone with this address can decide in your name.";
}

/** On the port that was asked for; else on the first that is free, since another project's panel may have the usual one. */
async function start(project: Project, options: ServeCommandOptions) {
  const { port, host, readOnly = false } = options;
  const fleet = await fleetWatchOf(options);
  const { servePanel } = await import("../../web/server/serve.ts");
  const loops = controlLoops(project);
  const name = basename(folderOf(options));
  const ports = port === undefined ? [...Array(PORTS).keys()].map((nth) => FIRST_PORT + nth) : [port];
  for (const tried of ports) {
    try {
      return await servePanel(project, { port: tried, host, readOnly, name, fleet, loops });
    } catch (error) {
      const code = error instanceof Error && "code" in error ? String(error.code) : "";
      if (code !== "EADDRINUSE") return refuse(error, code, tried, host);
    }
  }
  const what =
    port === undefined ? `Ports ${FIRST_PORT} to ${FIRST_PORT + PORTS - 1} are` : `Port ${port} is`;
  fail(
    `${what} in use on ${host}. Choose another port with --port; 0 takes any free port.`,
    "port_in_use",
    EXIT.unusable,
  );
  return undefined;
}

/** What it cannot listen on is told with what would be right. */
function refuse(error: unknown, code: string, port: number, host: string): undefined {
  const words = CANNOT_LISTEN[code];
  if (!words) throw error;
  fail(`${words(JSON.stringify(host), port)}`, "bad_address", EXIT.usage);
}

const NO_SUCH_HOST = (host: string) =>
  `This machine has no address ${host}. Give --host one of its own: 127.0.0.1 for this machine only, 0.0.0.0 for every machine that can reach it.`;

const CANNOT_LISTEN: Readonly<Record<string, (host: string, port: number) => string>> = {
  ENOTFOUND: NO_SUCH_HOST,
  EAI_AGAIN: NO_SUCH_HOST,
  EADDRNOTAVAIL: NO_SUCH_HOST,
  EINVAL: NO_SUCH_HOST,
  EAFNOSUPPORT: NO_SUCH_HOST,
  EACCES: (host, port) =>
    `You are not allowed to listen on port ${port} on ${host}. Choose a port from 1024 up with --port.`,
};

const FIRST_PORT = 4_100;
const PORTS = 20;

/** Until somebody wants it to end. */
function stopped(): Promise<unknown> {
  return Promise.race(["SIGINT", "SIGTERM", "SIGHUP"].map((signal) => once(process, signal)));
}

function parsePort(text: string): number {
  const port = parseWhole(text);
  if (port > 65_535) throw new InvalidArgumentError("It must be a port from 0 to 65535.");
  return port;
}

/** An empty one would be every address that the machine has. */
function parseHost(text: string): string {
  if (text.trim() === "") throw new InvalidArgumentError("It must be an address, such as 127.0.0.1.");
  return text.trim();
}

function parseActor(text: string): string {
  if (isNameOfPerson(text)) return text;
  throw new InvalidArgumentError(
    "It must be a person's name: 1 to 100 visible characters, and not agent, driver or signalbox.",
  );
}
