import { basename } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { loadPage } from "../../adapters.ts";
import type { Project } from "../../api/project.ts";
import { HUMAN, isNameOfPerson } from "../../events/actors.ts";
import { pc, print, printJson } from "../../lib/terminal/output.ts";
import { controlLoops } from "../../loop/starting/loop-control.ts";
import { answering } from "../../outside/notices/answering.ts";
import { takePartInNotices } from "../../outside/notices/notifier.ts";
import { loginsOf } from "../../outside/people/logins.ts";
import { holders } from "../../outside/people/tokens.ts";
import {
  type CommonOptions,
  folderOf,
  guarded,
  projectOptions,
  readModelPath,
  warn,
  withProject,
} from "../making/command.ts";
import { listenAsAsked, type ServerOptions, serverOptions } from "../making/server-options.ts";
import { fleetWatchOf } from "../running/fleet-watch.ts";
import { stopped } from "../running/stopped.ts";

interface ServeCommandOptions extends CommonOptions, ServerOptions {
  readonly actor: string;
  readonly readOnly?: boolean;
}

/** Written for commander: runs until it is stopped. */
export function addServe(program: Command): void {
  const command = program
    .command("serve")
    .description(
      "serve the panel, a web page to watch agents, answer them and look back, and the tools of agents over HTTP",
    );
  serverOptions(projectOptions(command))
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
  const { readOnly = false } = options;
  const path = readModelPath(options);
  const fleet = await fleetWatchOf(options);
  const { servePanel } = await loadPage();
  const { serveAgents } = await import("../running/serve-agents.ts");
  const agents = readOnly ? undefined : serveAgents(project, path);
  const loops = controlLoops(project);
  const name = basename(folderOf(options));
  const notices = readOnly ? undefined : answering(project, path).overHttp;
  const panel = await listenAsAsked(options, (place) =>
    servePanel(project, {
      ...place,
      readOnly,
      name,
      fleet,
      loops,
      mcp: agents?.answer,
      notices,
      people: holders(path),
      logins: loginsOf(path),
    }),
  );
  agents?.tell(panel);
  const notifier = readOnly
    ? undefined
    : takePartInNotices(project, { readModelPath: path, url: panel.origin, report: warn });
  const { address, addresses, port } = panel;
  if (options.json) printJson({ address, addresses, port });
  else {
    print(`Panel of ${folderOf(options)}:\n\n${addresses.map((one) => `  ${pc.cyan(one)}\n`).join("")}`);
    print(pc.dim(`${worthOf(readOnly)} Ctrl-C stops the server.`));
  }
  await stopped();
  notifier?.stop();
  await agents?.close();
  await panel.close();
}

function worthOf(readOnly: boolean): string {
  return readOnly
    ? "Anyone with this address can see the whole project."
    : "Anyone with this address can decide in your name.";
}

function parseActor(text: string): string {
  if (isNameOfPerson(text)) return text;
  throw new InvalidArgumentError(
    "It must be a person's name: 1 to 100 visible characters, and not agent, driver, program or signalbox.",
  );
}
