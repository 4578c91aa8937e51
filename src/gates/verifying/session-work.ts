import { join } from "node:path";
import type { Config } from "../../config/config.ts";
import { stateOf } from "../../decisions/state.ts";
import type { EventLog } from "../../events/log.ts";
import { isFilePath, line } from "../../events/types/fields.ts";
import type { PayloadOf } from "../../events/types/index.ts";
import {
  FINDING_PATHS_LIMIT,
  FINDINGS_LIMIT,
  sessionWork,
  WORK_FILES_LIMIT,
} from "../../events/types/session-work.ts";
import { ralphFolderOf, sessionFolderOf } from "../../lib/project-folder.ts";
import { shorten } from "../../lib/shorten.ts";
import { oneLine } from "../../lib/visible.ts";
import { parseColumn } from "../../projections/parse-column.ts";
import { explainedSince } from "../../queries/explained.ts";
import { isAlone } from "../../queries/find-sessions.ts";
import type { ReadModel } from "../../read-model/read-model.ts";
import { catchUp } from "../../read-model/worker.ts";
import type { Beginning } from "../../workspace/evidence/beginning.ts";
import type { Finding } from "../../workspace/evidence/finding.ts";
import { type Work, workSince } from "../../workspace/evidence/work.ts";
import { sessionCommits } from "../../workspace/session-commits.ts";
import { stateFilePaths } from "../../workspace/state-files/write.ts";
import { type Look, openWorkspace, scratchIn, type Workspace } from "../../workspace/workspace.ts";
import { worktreeFolder } from "../../workspace/worktree.ts";

/** What decides whether the gates of a task pass. */
export function checksOf(
  readModel: ReadModel,
  { gates: { protect, folder } }: Pick<Config, "gates">,
  task: number,
) {
  const { gates, tasks } = stateOf(readModel);
  const commands = gates.where({ task_id: task }).map(({ command }) => command);
  return { protect, folder, commands, makes: parseColumn(tasks.get(task)?.output_artifacts ?? "[]") };
}

/**
 * What a session did, compared with what was kept at its start. Undefined: nothing was, or git cannot tell.
 *
 * @param how with its files, if they were looked at and have not changed since, and whether its driver has committed what it could
 */
export async function workOf(
  { session, task }: { readonly session: string; readonly task: number | null },
  workspace: Workspace,
  {
    readModel,
    log,
    readModelPath,
  }: { readonly readModel: ReadModel; readonly log?: EventLog; readonly readModelPath: string },
  how?: { readonly seen: Look | undefined; readonly committed: boolean },
): Promise<PayloadOf<"session.work"> | undefined> {
  const began = sessionCommits(sessionFolderOf(readModelPath, session))?.began;
  if (!began) return undefined;
  const explained = async () => {
    if (log) await catchUp(readModel, log);
    return explainedSince(readModel, session);
  };
  // Whatever its agent made of its repository, the session ends.
  const work = await workSince(began, workspace, { explained, ...how }).catch(() => undefined);
  return (
    work &&
    sessionWork.payload.safeParse({ session, ...(task !== null && { task }), ...payloadOf(began, work) }).data
  );
}

function payloadOf(began: Beginning, { head, tree, base, commits, files, outside, findings }: Work) {
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
    ...(outside.length > 0 && { outside: outside.filter(isFilePath).slice(0, WORK_FILES_LIMIT) }),
    added: files.reduce((sum, { lines }) => sum + (lines?.added ?? 0), 0),
    removed: files.reduce((sum, { lines }) => sum + (lines?.removed ?? 0), 0),
    findings: findings.slice(0, FINDINGS_LIMIT).map(findingOf),
  };
}

function fileOf({ path, kind, from, lines }: Work["files"][number]) {
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
  readModel: ReadModel,
  of: { readonly session: string; readonly task: number | null },
  readModelPath: string,
): Promise<PayloadOf<"session.work"> | undefined> {
  const commits = sessionCommits(sessionFolderOf(readModelPath, of.session));
  if (!commits?.began) return undefined;
  if (commits.folder !== undefined && !isAlone(readModel, of.session)) return undefined;
  const root = join(ralphFolderOf(readModelPath), "..");
  const workspace = workspaceOf(
    readModelPath,
    of.session,
    commits.folder ?? (commits.worktree && of.task !== null ? worktreeFolder(root, of.task) : root),
  );
  try {
    return await workOf(of, workspace, { readModel, readModelPath });
  } finally {
    workspace.close();
  }
}

/** The folder in which a session's agent works; what git reads there it keeps in the folder of its run. */
export function workspaceOf(readModelPath: string, session: string, folder: string): Workspace {
  const scratch = scratchIn(sessionFolderOf(readModelPath, session));
  return openWorkspace(folder, scratch, Object.values(stateFilePaths(readModelPath)));
}
