import { join } from "node:path";
import type { Project } from "../../api/project.ts";
import { Refusal } from "../../decisions/refusal.ts";
import { requireTask, stateOf } from "../../decisions/state.ts";
import { confinedFolder } from "../../gates/runner/confined-folder.ts";
import { keepBeginning } from "../../gates/verifying/by-hand.ts";
import { ralphFolderOf } from "../../lib/project-folder.ts";
import { makeToken } from "../../mcp/http/tokens.ts";
import { type Launched, serverVariables, writeLaunchFiles } from "../../mcp/launching/launch-files.ts";
import { httpServer } from "../../mcp/launching/mcp-config.ts";
import { type LaunchPlan, planLaunch } from "../../mcp/launching/plan.ts";
import { findRecipe, isForOneTask, type RecipeName } from "../../mcp/recipes.ts";
import { newSessionId, startSessionApart } from "../../operations/sessions.ts";
import type { ToolName } from "../../operations/tool-names.ts";
import { catchUp } from "../../read-model/worker.ts";
import type { Reach } from "../making/transport.ts";

/** What somebody wants to launch, as the command line has it. */
export interface SessionLaunch {
  readonly recipe: RecipeName;
  readonly task?: number | undefined;
  readonly session?: string | undefined;
  readonly discipline?: string | undefined;
  readonly feature?: string | undefined;
  readonly without?: readonly ToolName[] | undefined;
  readonly force?: boolean | undefined;
  readonly workspace?: string | undefined;
  readonly driver?: string | undefined;
  /** Where its agent works and its gates are run, in the project; absent: the project's folder. */
  readonly folder?: string | undefined;
  /** The address of `/mcp` where our server is asked over HTTP; absent: the client starts a server. */
  readonly url?: string | undefined;
  /** The caller's own: sent again under it, the session that was started is meant. */
  readonly key?: string;
}

/**
 * Writes the files of a session. Where its recipe is for one task and no session is named, one is started, once all else
 * is seen to be right.
 *
 * @throws Refusal `not_found`, `session_ended`, `not_possible`, and those of `startSessionApart`; McpConfigError; RunnerError `folder`
 */
export async function launchSession(
  project: Project,
  readModelPath: string,
  wish: SessionLaunch,
): Promise<{
  readonly plan: LaunchPlan;
  readonly files: Launched;
  readonly started: boolean;
  /** How the client reaches our server, if that is over HTTP. */
  readonly reach: Reach | undefined;
}> {
  const { readModel, log } = project.store;
  await catchUp(readModel, log);
  const plan = readModel.snapshot(() => planFor(project, wish));
  const workspace = confinedFolder(join(ralphFolderOf(readModelPath), ".."), wish.folder);
  const started = isForOneTask(wish.recipe) && wish.session === undefined;
  if (started) {
    await start(project, plan, wish);
    await keepBeginning(project.store.readModel, readModelPath, {
      session: plan.context.session_id,
      folder: workspace,
    });
  }
  const reach = await reachFor(project, readModelPath, { plan, workspace, url: wish.url });
  const own = reach && httpServer(reach.url, reach.token);
  return { plan, files: writeLaunchFiles(readModelPath, plan, { workspace, own }), started, reach };
}

/** Makes a token, if the client reaches our server over HTTP. */
async function reachFor(
  { log }: Project,
  readModelPath: string,
  { plan: { context }, workspace, url }: { plan: LaunchPlan; workspace: string; url: string | undefined },
): Promise<Reach | undefined> {
  if (url === undefined) return undefined;
  const variables = serverVariables(readModelPath, context, workspace);
  const { token, file } = await makeToken(log, readModelPath, { session: context.session_id, variables });
  return { url, token, token_file: file };
}

function planFor({ store }: Project, wish: SessionLaunch): LaunchPlan {
  const { recipe, without } = wish;
  const id = taskOf(store.readModel, wish);
  const task = id === undefined ? undefined : requireTask(stateOf(store.readModel), id);
  const discipline = wish.discipline ?? task?.discipline ?? null;
  if (discipline === null && findRecipe(recipe)?.own === "discipline") {
    throw new Refusal(
      "not_possible",
      `The recipe ${recipe} is for one discipline. Name it with --discipline.`,
    );
  }
  const prefix = isForOneTask(recipe) ? "s" : "c";
  const session = wish.session ?? newSessionId(store.environment, wish.key, prefix);
  const feature = wish.feature ?? task?.feature ?? null;
  return planLaunch(store.readModel, { session, recipe, task: id ?? null, discipline, feature, without });
}

/** The task of an existing session, or the one that the command names. */
function taskOf(
  readModel: Project["store"]["readModel"],
  { recipe, task, session: name }: SessionLaunch,
): number | undefined {
  if (name === undefined) return task;
  const session = stateOf(readModel).sessions.get(name);
  if (task !== undefined && session && session.task_id !== task) {
    throw new Refusal(
      "not_possible",
      `Session ${name} belongs to ${ownerOf(session)}, not to task ${task}. Leave out --session or --task.`,
    );
  }
  if (!isForOneTask(recipe) && !session) return task;
  if (!session) {
    throw new Refusal(
      "not_found",
      `There is no session ${name}. Run \`signalbox session list --open\` to see the open ones, or leave out --session to start a new one with --task.`,
    );
  }
  if (recipe !== "all" && !isForOneTask(recipe)) {
    throw new Refusal(
      "not_possible",
      `Session ${name} belongs to ${ownerOf(session)}, and its agent uses its files. The recipe ${recipe} has no task: leave out --session, or choose a name that no session has.`,
    );
  }
  checkOpen(name, session.exit);
  return session.task_id ?? undefined;
}

const ownerOf = ({ task_id }: { readonly task_id: number | null }): string =>
  task_id === null ? "no task" : `task ${task_id}`;

async function start(project: Project, { context }: LaunchPlan, wish: SessionLaunch): Promise<void> {
  const { session_id: session, task_id: task } = context;
  if (task === null) return;
  const { force = false, workspace, driver, key } = wish;
  const host = project.store.ownHost?.();
  await project.decide(startSessionApart(host, { task, session, workspace, force, driver }), key);
  // Sent again under a key, it may have come to its end since.
  checkOpen(session, (await project.queries.sessionRow(session))?.exit ?? null);
}

/** @throws Refusal `session_ended` */
function checkOpen(session: string, exit: string | null): void {
  if (exit === null) return;
  throw new Refusal(
    "session_ended",
    `Session ${session} has ended (${exit}), so reports in it would have no effect. Start a new one with --task.`,
  );
}
