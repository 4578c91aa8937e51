import type { Project } from "../../api/project.ts";
import type { Config } from "../../config/config.ts";
import { worktreesOf } from "../../config/schema.ts";
import { passes } from "../../events/types/command-result.ts";
import { howItEnded } from "../../events/types/gate-runs.ts";
import { gateCommand } from "../../gates/gate-command.ts";
import { runCommand } from "../../gates/runner/run-command.ts";
import { shorten } from "../../lib/shorten.ts";
import { ToldError } from "../../lib/told-error.ts";
import { oneLine } from "../../lib/visible.ts";
import { writeWhole } from "../../lib/write-whole.ts";
import { bring } from "../../workspace/bring.ts";
import { git, tryGit } from "../../workspace/git.ts";
import { NEW, preparedFile } from "../../workspace/prepared-file.ts";
import { readRegular } from "../../workspace/regular-file.ts";
import type { Step } from "../steps.ts";

/** The setup of a worktree failed: a fault of the project, not of its task. */
export class SetupError extends ToldError<"setup"> {
  override readonly name = "SetupError";
  readonly fault = "unusable";
}

/** How the message of a `SetupError` begins, by which a merge that waits for it is known. */
export const SETUP_OF = "the setup of worktrees";

/** What `prepareWorktree` works with. */
export interface Preparing {
  readonly project: Project;
  /** The project's folder, from which files are brought. */
  readonly root: string;
  readonly task: number;
  readonly config: Config;
  /** Aborts the setup. */
  readonly signal: AbortSignal;
  readonly tell: (step: Step) => void;
}

/**
 * Prepares a new worktree for its first session, or for the gates of a merge: copies and links what `worktrees` names, and runs
 * the setup. A worktree that was prepared stays as it is; one in which that was killed is prepared again. The caller has the lock of the workspace.
 *
 * @param folder the project's folder in the worktree
 * @param again also where one of these files has changed since, relative to the top
 * @throws SetupError; GitError, RunnerError; the abort reason of the signal
 */
export async function prepareWorktree(
  folder: string,
  preparing: Preparing,
  again: readonly string[] = [],
): Promise<void> {
  const worktrees = worktreesOf(preparing.config);
  const top = (await git(folder, ["rev-parse", "--show-toplevel"])).trimEnd();
  if (!worktrees || !(await isDue(top, again))) return;
  const { copy, share, setup } = worktrees;
  await bring(preparing.root, folder, { copy, share });
  if (setup !== undefined) await runSetup(folder, setup, preparing);
  writeWhole(preparedFile(top), await git(top, ["rev-parse", "HEAD"]));
}

async function isDue(top: string, again: readonly string[]): Promise<boolean> {
  const at = readRegular(preparedFile(top))?.toString().trim();
  // An older program made it, or a human. The worktree of merges is ours alone.
  if (at === undefined) return again.length > 0;
  if (at === NEW || again.length === 0) return at === NEW;
  const paths = again.map((path) => `:(top,glob)**/${path}`);
  // Also where the commit of that time is gone.
  return (await tryGit(top, ["diff", "--name-only", at, "HEAD", "--", ...paths])) !== "";
}

async function runSetup(
  folder: string,
  command: string,
  { project, root, task, config, signal, tell }: Preparing,
): Promise<void> {
  tell({ step: "setup_started", task, command });
  const where = { folder, config: { ...config, gates: { ...config.gates, isolation: false } } };
  const line = gateCommand({ command, timeout_s: config.limits.setup_s }, where);
  // As Cursor's own worktrees name the checkout.
  const environment = { ...line.environment, ROOT_WORKTREE_PATH: root };
  const result = await runCommand({ ...line, environment, signal });
  // An aborted run says nothing about the project.
  signal.throwIfAborted();
  await project.log.append([
    { type: "workspace.prepared", actor: project.actor, payload: { task, command, ...result } },
  ]);
  const how = howItEnded(result);
  const passed = passes(result);
  tell({ step: "setup_ended", task, passed, how, duration_ms: result.duration_ms });
  if (!passed) throw new SetupError("setup", `${SETUP_OF}, ${shorten(oneLine(command), 200)}, ${how}`);
}
