import { existsSync } from "node:fs";
import { dirname, relative } from "node:path";
import { writeChange } from "../../config/change-config.ts";
import { confirmedConfig, inspectConfig } from "../../config/confirmed.ts";
import { agentKinds, type ClientKind, findAgent, type Permissions } from "../../config/schema.ts";
import { platform } from "../../lib/platform/here.ts";
import { makePrivateFolder } from "../../lib/private-folder.ts";
import { ralphFolderOf } from "../../lib/project-folder.ts";
import { pc, print } from "../../lib/terminal/output.ts";
import { visible } from "../../lib/visible.ts";
import { writeWhole } from "../../lib/write-whole.ts";
import { DEFAULT_PERMISSIONS } from "../../loop/agent/clients.ts";
import { findProgram } from "../../loop/doctor/program.ts";
import { proposeWorktrees } from "../../loop/merge/propose-worktrees.ts";
import { clientConfig } from "../../mcp/client-configs.ts";
import { clientServer } from "../../mcp/launching/client-server.ts";
import { gatesOf } from "../../operations/gate-fields.ts";
import { createTask } from "../../operations/tasks.ts";
import { withProject } from "../making/command.ts";
import { choosePermissions, withAgent } from "./ask-permissions.ts";
import { type Ask, choose, confirms } from "./questions.ts";

/**
 * Sets up a new project that has no configuration yet: which agent runs and what it may do, a first task, and the agent's own file.
 *
 * @param ask asks the human; absent: the first agent on PATH runs, with the default permissions, and all else is left out
 * @returns true if there is a task to run
 * @throws NoAnswerError: what was answered before it is kept
 */
export async function setUp(readModelPath: string, ask?: Ask): Promise<boolean> {
  const found = agentsOnPath(readModelPath);
  print(found.length > 0 ? `Agents on PATH: ${found.join(", ")}` : NONE_FOUND);
  const agent = ask ? await chooseAgent(ask, found) : found[0];
  if (agent !== undefined) {
    writeAgent(readModelPath, agent, isClient(agent) ? await permissionsFor(agent, ask) : undefined);
    if (ask && isClient(agent)) await offerTools(ask, readModelPath, agent);
  }
  await offerWorktrees(readModelPath, ask);
  return ask ? offerTask(ask, readModelPath) : false;
}

/** How the program was called, for commands that it tells the human to type. */
export const SIGNALBOX = isByNpx() ? "npx signalbox" : "signalbox";

function isByNpx(): boolean {
  return process.env.npm_command === "exec";
}

const kinds = agentKinds.filter((kind) => kind !== "command");
const isClient = (agent: Agent): agent is ClientKind => agent !== TRIAL;

/** Launches no model. */
const TRIAL = "pretend";
type Agent = ClientKind | typeof TRIAL;

const NONE_FOUND =
  `There is no coding agent on PATH (${kinds.join(", ")}). Install one later; ` +
  `${TRIAL} shows how signalbox works without a model.`;

function agentsOnPath(readModelPath: string): ClientKind[] {
  const config = confirmedConfig(readModelPath);
  return kinds.filter((kind) => {
    const program = findAgent(config, kind)?.command;
    return program !== undefined && findProgram(program, { cwd: process.cwd(), env: process.env });
  });
}

function chooseAgent(ask: Ask, found: readonly ClientKind[]): Promise<Agent> {
  return choose<Agent>(
    ask,
    "Which agent should run your tasks?",
    [...found, ...kinds.filter((kind) => !found.includes(kind)), TRIAL],
    found[0] ?? TRIAL,
  );
}

async function permissionsFor(agent: ClientKind, ask?: Ask): Promise<Permissions> {
  return ask ? choosePermissions(ask, agent) : DEFAULT_PERMISSIONS;
}

/** @param permissions absent: the agent has none */
function writeAgent(readModelPath: string, agent: Agent, permissions?: Permissions): void {
  const before = inspectConfig(readModelPath);
  writeChange(before, (file) =>
    permissions ? withAgent({ ...file, agent }, agent, { kind: agent, permissions }) : { ...file, agent },
  );
  const may = permissions ? `, permissions ${permissions}` : "";
  print(`${pc.green("✓")} Agent ${agent}${may}: ${relative("", before.path)}`);
}

/** The loop gives its agents their tools itself; this is for an agent that the human starts by hand. */
async function offerTools(ask: Ask, readModelPath: string, agent: ClientKind): Promise<void> {
  // The folder of npx goes away: a file that names it would not last.
  if (isByNpx()) return;
  const { file, content } = clientConfig(agent, clientServer(readModelPath), {
    project: dirname(ralphFolderOf(readModelPath)),
    home: "",
    platform: platform().system,
  });
  const path = relative("", file);
  if (existsSync(file)) {
    print(
      `${path} is there already. For the tools in a ${agent} started by hand: signalbox mcp --print-config ${agent}`,
    );
    return;
  }
  if (!(await confirms(ask, `Write ${path}, for the board's tools in a ${agent} that you start by hand?`)))
    return;
  makePrivateFolder(dirname(file));
  writeWhole(file, content);
  print(`${pc.green("✓")} Wrote ${path}`);
}

/** A command is only run once a human has said yes to it, so without questions it is told alone. */
async function offerWorktrees(readModelPath: string, ask?: Ask): Promise<void> {
  const found = await proposeWorktrees(dirname(ralphFolderOf(readModelPath)));
  if (!found) return;
  const before = inspectConfig(readModelPath);
  const { setup, copy = [], share = [] } = found;
  const words = [
    ...(setup === undefined ? [] : [`set up by \`${visible(setup)}\``]),
    ...(copy.length > 0 ? [`with ${visible(copy.join(", "))} copied`] : []),
    ...(share.length > 0 ? [`with ${visible(share.join(", "))} shared`] : []),
  ];
  if (!ask) {
    print(
      `For a git worktree of each task, ${words.join(", ")}: "worktrees": ${visible(JSON.stringify(found))} in ${relative("", before.path)}`,
    );
    return;
  }
  if (!(await confirms(ask, `Give each task a git worktree of its own, ${words.join(", ")}?`))) return;
  writeChange(before, (file) => ({ ...file, worktrees: found }));
  print(`${pc.green("✓")} Worktrees: ${relative("", before.path)}`);
}

async function offerTask(ask: Ask, readModelPath: string): Promise<boolean> {
  const title = await ask("First task, in one line (empty: none): ");
  if (title === "") return false;
  const command = await ask("Command that must pass before it is done, such as npm test (empty: none): ");
  const gates = gatesOf(command === "" ? {} : { verify: [command] });
  const [{ payload }] = await withProject({ db: readModelPath, actor: "human" }, (project) =>
    project.decide(createTask({ title, gates })),
  );
  print(`${pc.green("✓")} Added task ${payload.task}: ${title}`);
  return true;
}
