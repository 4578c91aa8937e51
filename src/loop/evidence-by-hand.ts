import { existsSync } from "node:fs";
import type { Project } from "../api/project.ts";
import { confirmedConfig } from "../config/confirmed.ts";
import type { PayloadOf } from "../events/types/index.ts";
import { makePrivateFolder } from "../lib/private-folder.ts";
import { runFolderBeside, sessionFolderOf } from "../lib/project-folder.ts";
import { beginningOf } from "../workspace/evidence/beginning.ts";
import { commitsFileIn, keepStart } from "../workspace/session-commits.ts";
import { checksOf, workLeft } from "./evidence.ts";
import { workspaceOf } from "./run-folder.ts";

/*
 * Evidence of sessions that no loop runs: somebody starts them by a command, and ends them by another one.
 */

/**
 * Keeps how a folder is before an agent works there. Whatever is wrong with it, the session goes on; nothing is kept without git,
 * where nobody asks for evidence, or while other sessions are open, which may change the same files.
 *
 * @param folder where its agent works
 */
export async function keepBeginning(
  project: Project,
  readModelPath: string,
  { session, folder }: { readonly session: string; readonly folder: string },
): Promise<void> {
  const runFolder = sessionFolderOf(readModelPath, session);
  // A command that is sent again keeps the first beginning.
  if (existsSync(commitsFileIn(runFolder))) return;
  const open = await project.queries.sessions({ open: true });
  if (open.some(({ id }) => id !== session)) return;
  try {
    const config = await confirmedConfig(readModelPath);
    if (!config.evidence) return;
    const task = open.find(({ id }) => id === session)?.task_id;
    const checks = task === undefined ? undefined : await checksOf(project, config, task);
    makePrivateFolder(runFolderBeside(readModelPath));
    makePrivateFolder(runFolder);
    const workspace = workspaceOf(readModelPath, session, folder);
    const look = await workspace.look();
    if (!look) return workspace.close();
    const began = await beginningOf(workspace, look, { own: undefined, checks });
    await keepStart({ runFolder, folder }, { worktree: false, folder, tree: look.tree, began });
  } catch {}
}

/** What the session did, as far as it alone can have done it. */
export async function workByHand(
  project: Project,
  readModelPath: string,
  session: string,
): Promise<PayloadOf<"session.work"> | undefined> {
  const row = await project.queries.sessionRow(session);
  if (!row || row.completed_at !== null) return undefined;
  return await workLeft(project, { session, task: row.task_id }, readModelPath);
}
