import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Project } from "../../api/project.ts";
import type { Config } from "../../config/config.ts";
import type { Worktrees } from "../../config/schema.ts";
import { happened, Refusal } from "../../decisions/refusal.ts";
import { recordMergeStep } from "../../decisions/rules/merges.ts";
import { FILES_LIMIT } from "../../events/types/fields.ts";
import type { PayloadOf } from "../../events/types/index.ts";
import { RunnerError } from "../../gates/runner/runner-error.ts";
import { withWorkspaceLock } from "../../gates/runner/workspace-lock.ts";
import { makePrivateFolder } from "../../lib/private-folder.ts";
import { runFolderBeside } from "../../lib/project-folder.ts";
import { shellWord } from "../../lib/shell-word.ts";
import { shorten } from "../../lib/shorten.ts";
import { oneLine } from "../../lib/visible.ts";
import { reopenForMerge } from "../../operations/merges.ts";
import type { MergeRow } from "../../projections/board/merge-tables.ts";
import { contains, tipOf } from "../../workspace/branches.ts";
import { fastForward } from "../../workspace/fast-forward.ts";
import { GitError, placeIn } from "../../workspace/git.ts";
import { checkOut, rebase } from "../../workspace/merged-commit.ts";
import { refuseBrought } from "../../workspace/own-files.ts";
import { keepCommit } from "../../workspace/removal.ts";
import { fillSubmodules } from "../../workspace/submodules.ts";
import { addDetached, mergeFolder, worktreeFolder } from "../../workspace/worktree.ts";
import type { Step } from "../steps.ts";
import { commitWork, messageOf, rootOf } from "./commit-work.ts";
import { runGatesOnMerge } from "./gates.ts";
import { LOCK_FILES } from "./lock-files.ts";
import { prepareWorktree, SetupError } from "./setup.ts";
import { moveTaskBranch } from "./task-branch.ts";
import { refuseUndoing, refuseUnverified } from "./verified.ts";

export interface Merging {
  readonly project: Project;
  readonly readModelPath: string;
  readonly config: Config;
  readonly worktrees: Worktrees;
  /** Aborts a running gate; the merge stays with this driver until the gate has ended. */
  readonly signal: AbortSignal;
  readonly tell: (step: Step) => void;
}

/** A merge begun by this driver. */
export interface BegunMerge {
  readonly begun: PayloadOf<"merge.begun">;
  /** The position of that event. */
  readonly position: number;
  /** The result of the earlier runs. */
  readonly before: MergeRow;
}

/** How often the base may move while a merge is prepared for it. */
const ATTEMPTS = 10;
const COMMIT = "git commit -a";

/**
 * Merges a task's branch: rebases it onto the base in a separate worktree, runs its gates there,
 * and moves the base to the result (docs/decisions/0040). Every step can be repeated by another
 * driver: git shows whether the work has landed.
 *
 * @throws LogError; the abort reason of `signal`
 */
export async function runMerge(merge: BegunMerge, merging: Merging): Promise<void> {
  const { task, branch, base } = merge.begun;
  merging.tell({ step: "merge_started", task, branch, base });
  try {
    await withScratch(merging, task, (scratch) => attempt(merge, merging, scratch));
  } catch (error) {
    // Another driver took this one for dead, or the merge was withdrawn: it is theirs now.
    if (error instanceof Refusal && error.code === "already_decided") return;
    if (!(error instanceof GitError || error instanceof RunnerError || error instanceof SetupError))
      throw error;
    await endWaiting(merge, merging, { reason: error.message });
  }
}

async function withScratch<T>(
  { readModelPath, signal }: Merging,
  task: number,
  work: (scratch: string) => Promise<T>,
): Promise<T> {
  const root = rootOf(readModelPath);
  const scratch = mergeFolder(root);
  makePrivateFolder(scratch);
  const locked = async () => {
    if (!existsSync(join(scratch, ".git"))) await addDetached(root, scratch);
    return work(scratch);
  };
  const runFolder = runFolderBeside(readModelPath);
  return withWorkspaceLock(scratch, locked, { runFolder, purpose: `the merge of task ${task}`, signal });
}

async function attempt(merge: BegunMerge, merging: Merging, scratch: string): Promise<void> {
  const { task, base } = merge.begun;
  const problem = await commitWork(
    merging.project,
    { task },
    { ...merging, author: merging.worktrees.author },
  );
  if (problem !== undefined)
    return endWaiting(merge, merging, {
      reason: `the worktree of task ${task} could not be committed: ${problem}`,
    });
  for (let tries = 1; tries <= ATTEMPTS; tries++) {
    merging.signal.throwIfAborted();
    if (await attemptOnce(merge, merging, scratch)) return;
  }
  await endWaiting(merge, merging, { reason: `${base} moved ${ATTEMPTS} times while it was merged` });
}

/** @returns false if the base has moved meanwhile */
async function attemptOnce(merge: BegunMerge, merging: Merging, scratch: string): Promise<boolean> {
  const { begun, before } = merge;
  const { branch, base } = begun;
  const root = rootOf(merging.readModelPath);
  const onto = await requireTip(root, base);
  const commit = await requireTip(root, branch);
  const isSame = commit === before.commit_id;
  const hadLanded = before.result !== null && (await contains(root, onto, before.result));
  if (isSame && hadLanded && before.result !== null)
    return landed(merge, merging, { commit, from: before.onto ?? onto, to: before.result });
  if (await contains(root, onto, commit)) return landed(merge, merging, { commit, from: onto, to: onto });
  await refuseUnverified(merge, merging, commit);
  // Before any of it is checked out.
  await refuseBrought(root, commit, onto);

  const tried = isSame && before.onto === onto ? before.result : null;
  const result = tried ?? (await makeResult(merge, merging, { scratch, onto, commit, hadLanded }));
  if (result === undefined) return true;
  if (result === onto) return landed(merge, merging, { commit, from: onto, to: onto });
  await refuseBrought(root, result, onto);
  const moved = await fastForward(root, { branch: base, from: onto, to: result });
  if (moved === "moved") return false;
  if (moved === "done") return landed(merge, merging, { commit, from: onto, to: result });
  await endWaiting(merge, merging, { folder: moved.folder, reason: moved.reason });
  return true;
}

/**
 * Rebases the work and runs its gates. @returns undefined after a failure of either, which is
 * recorded
 */
async function makeResult(
  { begun, position, before }: BegunMerge,
  merging: Merging,
  {
    scratch,
    onto,
    commit,
    hadLanded,
  }: {
    readonly scratch: string;
    readonly onto: string;
    readonly commit: string;
    readonly hadLanded: boolean;
  },
): Promise<string | undefined> {
  const { project, readModelPath, config, worktrees, signal, tell } = merging;
  const { task, base } = begun;
  const landings = await project.queries.landings();
  const landed = [...landings.map((landing) => landing.commit), ...(hadLanded ? [before.commit_id] : [])];
  const message = await messageOf(project, task);
  const root = rootOf(readModelPath);
  const { prefix, top } = await placeIn(root);
  const folder = join(scratch, prefix);
  const prepare = () => prepareWorktree(folder, { ...merging, root, task }, Object.keys(LOCK_FILES));
  if (config.gates.isolation && worktrees.setup !== undefined) {
    // Outside of the isolation runs only what the base has, not the work.
    await checkOut(scratch, onto);
    await prepare();
  }
  const rebased = await rebase({ scratch, onto, commit, landed, message, author: worktrees.author });
  const run = { task, begun: position };
  const commands = [`cd ${shellWord(worktreeFolder(root, task))}`, `git merge ${shellWord(base)}`];
  if ("conflicts" in rebased) {
    await recordConflicts(rebased.conflicts, { ...run, onto, commands }, merging, begun);
    return undefined;
  }
  const to = rebased.commit;
  if (to === onto) return to;
  await refuseUndoing(begun, merging, { commit, onto, to });
  const failed = await runGatesOnMerge(project.store.readModel, task, {
    runFolder: runFolderBeside(readModelPath),
    ...{ folder, config, signal },
    async prepare() {
      await fillSubmodules(top, scratch, true);
      if (!config.gates.isolation) await prepare();
    },
    onStart: ({ gate, command }) => tell({ step: "merge_gate", task, gate, command }),
    record: ({ gate, command }, gateResult) =>
      project.decide(
        recordMergeStep({
          type: "merge.gate_attempted",
          payload: { ...run, gate, command, commit: to, ...gateResult },
        }),
      ),
  });
  if (!failed) {
    await project.decide(recordMergeStep({ type: "merge.ready", payload: { ...run, onto, to } }));
    return to;
  }
  const { gate, command } = failed;
  const toMend = [...commands, oneLine(command).slice(0, 4_000), COMMIT, `signalbox merge queue ${task}`];
  await project.decide(
    recordMergeStep({
      type: "merge.gate_failed",
      payload: { ...run, gate, command, onto, commands: toMend },
    }),
  );
  tell({ ...endedStep(begun, "gate_failed"), gate, commands: toMend });
  await reopenUnlessTooOften(task, merging);
  return undefined;
}

async function recordConflicts(
  conflicts: readonly string[],
  { commands, ...run }: Pick<PayloadOf<"merge.conflicted">, "task" | "begun" | "onto" | "commands">,
  merging: Merging,
  begun: BegunMerge["begun"],
): Promise<void> {
  const named = conflicts.filter((path) => oneLine(path) === path && path.length <= 4_096);
  const files = named.slice(0, FILES_LIMIT);
  const more = conflicts.length - files.length;
  const whole = [...commands, "git commit", `signalbox merge queue ${run.task}`];
  const payload = { ...run, files, more, commands: whole };
  await merging.project.decide(recordMergeStep({ type: "merge.conflicted", payload }));
  merging.tell({ ...endedStep(begun, "conflicted"), files, commands });
  await reopenUnlessTooOften(run.task, merging);
}

/**
 * With `auto`, an agent gets the task back a limited number of times; then it waits for the human.
 */
async function reopenUnlessTooOften(task: number, { project, worktrees, tell }: Merging): Promise<void> {
  const row = (await project.queries.merges()).find(({ task_id }) => task_id === task);
  if (worktrees.integrate !== "auto" || !row || row.reopenings >= worktrees.reopen) return;
  try {
    if (await happened(project.decide(reopenForMerge({ task })))) tell({ step: "merge_reopened", task });
  } catch (error) {
    // Someone has decided on it meanwhile.
    if (!(error instanceof Refusal)) throw error;
  }
}

async function landed(
  { begun, position }: BegunMerge,
  { project, readModelPath, tell }: Merging,
  { commit, from, to }: { readonly commit: string; readonly from: string; readonly to: string },
): Promise<true> {
  const { task, base } = begun;
  await project.decide(
    recordMergeStep({
      type: "merge.landed",
      payload: { task, begun: position, base, commit, from, to },
    }),
  );
  // The branch goes to the commits that landed, which have other ids where it was rebased.
  await keepCommit(rootOf(readModelPath), task, commit);
  await moveTaskBranch(rootOf(readModelPath), task, { from: commit, to });
  tell({ ...endedStep(begun, "landed"), from, to });
  return true;
}

async function endWaiting(
  { begun, position }: BegunMerge,
  { project, tell }: Merging,
  { folder, reason }: { readonly folder?: string; readonly reason: string },
): Promise<void> {
  const short = shorten(reason.trim() || "git gave no reason", 5_000);
  const payload = {
    ...{ task: begun.task, begun: position, reason: short },
    ...(folder !== undefined && { folder }),
  };
  await project.decide(recordMergeStep({ type: "merge.waits", payload }));
  tell({ ...endedStep(begun, "waiting"), reason: folder === undefined ? short : `${folder}: ${short}` });
}

function endedStep(
  { task, base }: PayloadOf<"merge.begun">,
  state: Extract<Step, { step: "merge_ended" }>["state"],
): Extract<Step, { step: "merge_ended" }> {
  const nothing = { from: null, to: null, gate: null, files: [], commands: [], reason: null };
  return { step: "merge_ended", task, base, state, ...nothing };
}

async function requireTip(root: string, branch: string): Promise<string> {
  const tip = await tipOf(root, branch);
  if (tip !== undefined) return tip;
  throw new GitError(`The branch "${branch}" is gone. Create it again, or withdraw the merge.`);
}
