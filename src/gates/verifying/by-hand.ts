import { existsSync } from "node:fs";
import { confirmedConfig } from "../../config/confirmed.ts";
import type { PayloadOf } from "../../events/types/index.ts";
import { makePrivateFolder } from "../../lib/private-folder.ts";
import { runFolderBeside, sessionFolderOf } from "../../lib/project-folder.ts";
import { findSession, listSessions } from "../../queries/find-sessions.ts";
import type { ReadModel } from "../../read-model/read-model.ts";
import { catchUp } from "../../read-model/worker.ts";
import { beginningOf } from "../../workspace/evidence/beginning.ts";
import { commitsFileIn, keepStart, sessionCommits } from "../../workspace/session-commits.ts";
import type { GateRunner } from "../run-gates.ts";
import { checksOf, workLeft, workspaceOf } from "./session-work.ts";
import type { verifyAgain } from "./verify-again.ts";

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
  readModel: ReadModel,
  readModelPath: string,
  { session, folder }: { readonly session: string; readonly folder: string },
): Promise<void> {
  const runFolder = sessionFolderOf(readModelPath, session);
  // A command that is sent again keeps the first beginning.
  if (existsSync(commitsFileIn(runFolder))) return;
  if (listSessions(readModel, { open: true }).some(({ id }) => id !== session)) return;
  try {
    const config = await confirmedConfig(readModelPath);
    if (!config.evidence) return;
    makePrivateFolder(runFolderBeside(readModelPath));
    makePrivateFolder(runFolder);
    const workspace = workspaceOf(readModelPath, session, folder);
    const look = await workspace.look();
    if (!look) return workspace.close();
    const task = findSession(readModel, session)?.task_id;
    const checks = task == null ? undefined : checksOf(readModel, config, task);
    const began = await beginningOf(workspace, look, { own: undefined, checks });
    await keepStart({ runFolder, folder }, { worktree: false, folder, tree: look.tree, began });
  } catch {}
}

/**
 * What a session did, as far as it alone can have done it. First its gates run again, if they passed on other files than it leaves.
 *
 * @returns the fingerprint of these files, if it is known; and why gates could not run, if they had to
 * @throws the abort reason of `signal`, if nothing had begun
 */
export async function foundAtEnd(
  runner: GateRunner,
  readModelPath: string,
  { session, ...wanted }: Omit<Parameters<typeof verifyAgain>[1], "task" | "runFolder">,
): Promise<
  Awaited<ReturnType<typeof verifyAgain>> & { readonly work?: PayloadOf<"session.work"> | undefined }
> {
  const { readModel, log } = runner.store;
  await catchUp(readModel, log);
  const row = findSession(readModel, session);
  if (row?.task_id == null || row.completed_at !== null) return {};
  const of = { session, task: row.task_id };
  const { verifyAgain } = await import("./verify-again.ts");
  const again = await verifyAgain(runner, { ...wanted, ...of, runFolder: runFolderBeside(readModelPath) });
  wanted.signal?.throwIfAborted();
  // Where its loop has kept the beginning, it looks itself.
  if (sessionCommits(sessionFolderOf(readModelPath, session))?.folder === undefined) return again;
  return { ...again, work: await workLeft(readModel, of, readModelPath) };
}
