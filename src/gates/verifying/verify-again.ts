import { join } from "node:path";
import { stateOf } from "../../decisions/state.ts";
import { makePrivateFolder } from "../../lib/private-folder.ts";
import { isWorktree, sessionFolderIn } from "../../lib/project-folder.ts";
import { contentOf, writeWhole } from "../../lib/write-whole.ts";
import { bearsOut, passedOnOthers } from "../../projections/board/settlement.ts";
import { isAlone } from "../../queries/find-sessions.ts";
import type { ReadModel } from "../../read-model/read-model.ts";
import { withWorkspace } from "../../workspace/workspace.ts";
import { type GateRunner, type GatesToRun, runGates } from "../run-gates.ts";
import { type GatesToVerify, onlyNotRun } from "./verify.ts";

type OfSession = Pick<GatesToRun, "task" | "runFolder"> & { readonly session: string };

/**
 * Whether the gates of a session that has said done, and is about to end, have to run again: all pass, and one passed on other files
 * than those that the session leaves (docs/rules.md, Evidence).
 *
 * @param files their fingerprint
 */
export function mustVerifyAgain(
  readModel: ReadModel,
  { task, session }: Pick<OfSession, "task" | "session">,
  files: string,
): boolean {
  const { sessions, gates } = stateOf(readModel);
  const { last_closing, completed_at } = sessions.get(session) ?? {};
  if (last_closing !== "done" || completed_at !== null) return false;
  const all = gates.where({ task_id: task });
  return all.every(bearsOut) && passedOnOthers(all, files).length > 0;
}

/**
 * Runs them again, in the folder in which a done was verified here; nothing where none was, without git, or where another session may
 * have changed the files.
 *
 * @returns the fingerprint of the files that are left, if known, and why gates could not run, if they had to
 * @throws the abort reason of `signal`, if nothing had begun
 */
export async function verifyAgain(
  runner: GateRunner,
  wanted: Omit<GatesToVerify, "folder"> & OfSession,
): Promise<{ readonly files?: string | undefined; readonly notRun?: string }> {
  const folder = verifiedIn(wanted);
  if (folder === undefined || !(isWorktree(folder) || isAlone(runner.store.readModel, wanted.session)))
    return {};
  return await withWorkspace(folder, {}, async (workspace) => {
    const look = async () => (await workspace.look())?.fingerprint;
    const files = await look();
    if (files === undefined || !mustVerifyAgain(runner.store.readModel, wanted, files)) return { files };
    try {
      await runGates(runner, { ...wanted, folder, config: await wanted.config(), keepPasses: true });
      return { files: (await look()) ?? files };
    } catch (error) {
      if (!onlyNotRun(error)) throw error;
      return { files, notRun: error.message };
    }
  });
}

/** Keeps in which folder the gates of a session ran, for its end. */
export function keepVerifiedIn(of: OfSession & Pick<GatesToRun, "folder">): void {
  if (of.runFolder === undefined) return;
  makePrivateFolder(of.runFolder);
  makePrivateFolder(sessionFolderIn(of.runFolder, of.session));
  writeWhole(fileOf(of.runFolder, of.session), of.folder);
}

function verifiedIn({ runFolder, session }: OfSession): string | undefined {
  return runFolder === undefined ? undefined : contentOf(fileOf(runFolder, session));
}

function fileOf(runFolder: string, session: string): string {
  return join(sessionFolderIn(runFolder, session), "verified-in");
}
