import type { Project } from "../api/project.ts";
import type { Config } from "../config/config.ts";
import { worktreesOf } from "../config/schema.ts";
import { isFilePath, line } from "../events/types/fields.ts";
import type { PayloadOf } from "../events/types/index.ts";
import {
  FINDING_PATHS_LIMIT,
  FINDINGS_LIMIT,
  sessionWork,
  WORK_FILES_LIMIT,
} from "../events/types/session-work.ts";
import { sessionFolderOf } from "../lib/project-folder.ts";
import { shorten } from "../lib/shorten.ts";
import { oneLine } from "../lib/visible.ts";
import { boardTables } from "../projections/board/tables.ts";
import { explainedSince } from "../queries/explained.ts";
import { isAlone } from "../queries/find-sessions.ts";
import type { ChangedFile } from "../workspace/diff.ts";
import { type Beginning, beginningOf } from "../workspace/evidence/beginning.ts";
import type { Finding } from "../workspace/evidence/finding.ts";
import { type Work, workSince } from "../workspace/evidence/work.ts";
import { sessionCommits } from "../workspace/session-commits.ts";
import type { Look, Workspace } from "../workspace/workspace.ts";
import { worktreeFolder } from "../workspace/worktree.ts";
import { rootOf } from "./merge/commit-work.ts";
import { workspaceOf } from "./run-folder.ts";
import type { Surroundings } from "./surroundings.ts";

/**
 * A session's workspace before its agent starts. Undefined: without git, where nobody asks for evidence, or in a folder in which
 * other sessions work too: whose work it is cannot be told there.
 */
export async function beginningFor(
  {
    task,
    workspace,
    start,
    shared,
  }: {
    readonly task: { readonly id: number };
    readonly workspace: Workspace;
    readonly start: Look | undefined;
    readonly shared: boolean;
  },
  { project, config, readModelPath }: { project: Project; config: Config; readModelPath: string },
): Promise<Beginning | undefined> {
  if (!start || shared || !config.evidence) return undefined;
  const worktrees = worktreesOf(config);
  const fork = await project.queries.taskFork(task.id);
  const own = worktrees && { task: task.id, root: rootOf(readModelPath), base: worktrees.base, fork };
  const checks = await checksOf(project, config, task.id);
  // Whatever is wrong with its repository, the session goes on.
  return await beginningOf(workspace, start, { own, checks }).catch(() => undefined);
}

/** What decides whether the gates of a task pass. */
export async function checksOf(
  project: Project,
  { gates: { protect, folder } }: Pick<Config, "gates">,
  task: number,
) {
  const gates = await project.ask((readModel) => readModel.rowsOf(GATES).gates.where({ task_id: task }));
  return { protect, folder, commands: gates.map(({ command }) => command) };
}

const GATES = { gates: boardTables.gates };

/**
 * What a session did, compared with what was kept at its start. Undefined: nothing was, or git cannot tell.
 *
 * @param how with its files, if they were looked at and have not changed since, and whether its driver has committed what it could
 */
export async function workOf(
  { session, task }: { readonly session: string; readonly task: number },
  workspace: Workspace,
  { project, readModelPath }: Pick<Surroundings, "project" | "readModelPath">,
  how?: { readonly seen: Look | undefined; readonly committed: boolean },
): Promise<PayloadOf<"session.work"> | undefined> {
  const began = sessionCommits(sessionFolderOf(readModelPath, session))?.began;
  if (!began) return undefined;
  const explained = await project.ask((readModel) => explainedSince(readModel, session));
  // Whatever its agent made of its repository, the session ends.
  const work = await workSince(began, workspace, { explained, ...how }).catch(() => undefined);
  return work && sessionWork.payload.safeParse({ session, task, ...payloadOf(began, work) }).data;
}

function payloadOf(began: Beginning, { head, tree, base, commits, files, findings }: Work) {
  const shown = files.filter(({ path, from = path }) => isFilePath(path) && isFilePath(from));
  return {
    start: began.head,
    ...(head !== null && { head }),
    ...(base !== null && { base }),
    ...(began.fork !== null && { fork: began.fork }),
    tree_before: began.tree,
    ...(tree !== null && { tree_after: tree }),
    commits,
    files: shown.slice(0, WORK_FILES_LIMIT).map(fileOf),
    more: files.length - Math.min(shown.length, WORK_FILES_LIMIT),
    added: files.reduce((sum, { lines }) => sum + (lines?.added ?? 0), 0),
    removed: files.reduce((sum, { lines }) => sum + (lines?.removed ?? 0), 0),
    findings: findings.slice(0, FINDINGS_LIMIT).map(findingOf),
  };
}

function fileOf({ path, kind, from, lines }: ChangedFile) {
  return { path, kind, ...(from !== undefined && { from }), ...lines };
}

function findingOf({ kind, paths, refs, says }: Finding) {
  const shown = paths.filter(isFilePath).slice(0, FINDING_PATHS_LIMIT);
  return {
    ...{ kind, paths: shown, more: paths.length - shown.length },
    refs: refs.filter((ref) => line.safeParse(ref).success).slice(0, FINDING_PATHS_LIMIT),
    says: shorten(oneLine(says), 2_000),
  };
}

/**
 * What a session did whose driver has died, or that no loop runs, if its start was kept. Undefined where another one may have done it:
 * in the folder of one that no loop runs.
 */
export async function workLeft(
  project: Project,
  of: { readonly session: string; readonly task: number },
  readModelPath: string,
): Promise<PayloadOf<"session.work"> | undefined> {
  const commits = sessionCommits(sessionFolderOf(readModelPath, of.session));
  if (!commits?.began) return undefined;
  if (commits.folder !== undefined && !(await project.ask((readModel) => isAlone(readModel, of.session))))
    return undefined;
  const root = rootOf(readModelPath);
  const workspace = workspaceOf(
    readModelPath,
    of.session,
    commits.folder ?? (commits.worktree ? worktreeFolder(root, of.task) : root),
  );
  try {
    return await workOf(of, workspace, { project, readModelPath });
  } finally {
    workspace.close();
  }
}
