import type { Config } from "../../config/config.ts";
import { worktreesOf } from "../../config/schema.ts";
import { givenFields } from "../../decisions/given-fields.ts";
import { Refusal } from "../../decisions/refusal.ts";
import { beginMerge, proposeMerge } from "../../decisions/rules/merges.ts";
import { queueMerge } from "../../operations/merges.ts";
import { mergesTable } from "../../projections/board/merge-tables.ts";
import { gatesInTheWay } from "../../projections/board/settlement.ts";
import { boardTables } from "../../projections/board/tables.ts";
import type { RowsOf } from "../../projections/projection.ts";
import { isLost } from "../../queries/hosts.ts";
import type { MergeView } from "../../queries/merges.ts";
import { leftOnBranch } from "../../queries/session-work.ts";
import { catchUp } from "../../read-model/worker.ts";
import { baseBranch, branchOf, contains, taskTips, tipOf } from "../../workspace/branches.ts";
import { whatIsInTheWay } from "../../workspace/fast-forward.ts";
import { GitError, isWorkTree } from "../../workspace/git.ts";
import { judgeIn, standingOf } from "../drivers/judge.ts";
import { rootOf } from "./commit-work.ts";
import { type Merging, runMerge } from "./run-merge.ts";
import { SETUP_OF } from "./setup.ts";
import { sweepWorktrees } from "./sweep.ts";

/** The merge queue, for one driver. */
export interface MergeQueue {
  /**
   * Enqueues done tasks that are not merged, or puts them into the inbox; then takes the next
   * merge. Undefined: none is waiting.
   */
  next(): Promise<(() => Promise<void>) | undefined>;
  /** Merges the queue, one after another, while `goesOn` is true. */
  drain(goesOn: () => boolean): Promise<void>;
  /** Removes the worktrees of merged tasks, as `worktrees.keep` says; after each merge by itself. */
  sweep(): Promise<void>;
}

/**
 * @param onRunning called when a merge begins and ends. @returns undefined if tasks have no
 * worktrees
 */
export function openMergeQueue(
  { config, ...surroundings }: Omit<Merging, "worktrees">,
  driver: string,
  onRunning: (change: 1 | -1) => void = () => {},
): MergeQueue | undefined {
  const worktrees = worktreesOf(config);
  if (!worktrees) return undefined;
  /** How the last setup ended: until one passes, no merge is tried again that waits for its. */
  let isSetUp = true;
  const tell: Merging["tell"] = (step) => {
    if (step.step === "setup_ended") isSetUp = step.passed;
    surroundings.tell(step);
  };
  const merging = { ...surroundings, config, worktrees, tell };
  /** Commits known to be merged into the base, so that git is asked once. */
  const known = new Set<string>();
  /** The tasks whose merges this one has begun. */
  const begun = new Set<number>();
  const queue: MergeQueue = {
    async next() {
      if (!(await isWorkTree(rootOf(merging.readModelPath)))) return undefined;
      // Git may accept later what it refuses now.
      if (worktrees.integrate !== "never") await enqueueDone(merging, known).catch(unlessGit);
      const merge = await takeNext(merging, driver, { begun, isSetUp }).catch(unlessGit);
      if (!merge) return undefined;
      onRunning(1);
      return () => run(merge);
    },
    async drain(goesOn) {
      for (let merge = goesOn() && (await queue.next()); merge; merge = goesOn() && (await queue.next()))
        await merge();
    },
    async sweep() {
      await sweepWorktrees(merging.project, merging.readModelPath, merging).catch((error: unknown) =>
        merging.signal.aborted ? undefined : unlessGit(error),
      );
    },
  };
  return queue;

  async function run(merge: () => Promise<void>): Promise<void> {
    try {
      await merge();
      await queue.sweep();
    } catch (error) {
      // An aborted merge is left to the next driver.
      if (!merging.signal.aborted) throw error;
    } finally {
      onRunning(-1);
    }
  }
}

/**
 * The base of a task's merge: if `worktrees` does not set one, the branch checked out in the
 * project's folder. @throws GitError
 */
export async function workOf(
  readModelPath: string,
  config: Pick<Config, "worktrees">,
  task: number,
): Promise<{
  readonly task: number;
  readonly branch: string;
  readonly commit: string;
  readonly base: string;
}> {
  const root = rootOf(readModelPath);
  const branch = branchOf(task);
  const commit = await tipOf(root, branch);
  if (commit === undefined)
    throw new GitError(
      `Task ${task} has no branch ${branch}: no session worked on it in a worktree, or its work was merged and the branch removed. Set "worktrees" in .ralph/config.json for the next tasks.`,
    );
  return { task, branch, commit, base: await baseBranch(root, worktreesOf(config)?.base) };
}

async function enqueueDone(
  { project, readModelPath, worktrees, tell }: Merging,
  known: Set<string>,
): Promise<void> {
  const root = rootOf(readModelPath);
  const base = await baseBranch(root, worktrees.base).catch(unlessGit);
  const onto = base === undefined ? undefined : await tipOf(root, base);
  if (base === undefined || onto === undefined) return;
  const { readModel, log } = project.store;
  await catchUp(readModel, log);
  const rows = readModel.rowsOf(TABLES);
  for (const [task, tip] of await taskTips(root)) {
    const key = `${task} ${tip} ${onto}`;
    if (known.has(key)) continue;
    // The merge takes the branch's last one: what came after this one waits there for a human.
    const commit = leftOnBranch(readModel, task)?.head ?? tip;
    if (!isNew(rows, task, { tip, commit })) continue;
    if (await contains(root, onto, tip)) {
      known.add(key);
      continue;
    }
    const work = { task, branch: branchOf(task), commit, base };
    const isAsked = worktrees.integrate === "ask";
    try {
      await project.decide(isAsked ? proposeMerge(work) : queueMerge(work));
      tell({ step: "merge_queued", task, branch: work.branch, base, proposed: isAsked });
    } catch (error) {
      // Another driver was faster, or the task was reopened.
      if (!(error instanceof Refusal)) throw error;
    }
  }
}

const TABLES = { merges: mergesTable, tasks: boardTables.tasks, gates: boardTables.gates };

/**
 * For a done task confirmed by its gates: a merge that is queued, landed or withdrawn is only
 * repeated for new work.
 */
function isNew(
  rows: RowsOf<typeof TABLES>,
  task: number,
  { tip, commit }: Readonly<Record<"tip" | "commit", string>>,
): boolean {
  if (rows.tasks.get(task)?.status !== "done" || gatesInTheWay(rows, task).length > 0) return false;
  const row = rows.merges.get(task);
  if (!row) return true;
  if (row.state === "withdrawn")
    return row.reopened === 1 || (row.commit_id !== tip && row.commit_id !== commit);
  return row.state === "landed" && row.commit_id !== tip && row.result !== tip;
}

async function takeNext(
  merging: Merging,
  driver: string,
  tried: Tried & { readonly begun: Set<number> },
): Promise<(() => Promise<void>) | undefined> {
  const { project, readModelPath } = merging;
  const merges = await project.queries.merges();
  const running = merges.find(({ state }) => state === "running");
  if (running && isMerged(running, merging)) return undefined;
  const next =
    running ?? merges.find(({ state }) => state === "queued") ?? (await freed(merging, merges, tried));
  if (!next) return undefined;
  const { task_id: task, branch, base } = next;
  const before = project.store.readModel.rowsOf(TABLES).merges.get(task);
  if (!before) return undefined;
  // A merge without a branch fails with that message when it runs.
  const commit = (await tipOf(rootOf(readModelPath), branch)) ?? before.commit_id;
  const host = project.store.ownHost?.().host;
  const begun = givenFields({ task, branch, commit, base, driver, host });
  try {
    const insteadOf = running?.begun ?? undefined;
    const [event] = await project.decide(beginMerge({ ...begun, insteadOf }));
    tried.begun.add(task);
    return () => runMerge({ begun, position: event.position, before }, merging);
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

/** Whether a running merge's driver is at it still, as far as this host can tell. */
function isMerged({ driver, host, begun }: MergeView, { project, readModelPath }: Merging): boolean {
  if (driver === null || begun === null) return false;
  const wasLost = isLost(project.store.readModel, host, begun);
  const standing = standingOf({ driver, host, isLost: wasLost }, judgeIn(readModelPath, project.store));
  return standing === "alive" || standing === "elsewhere";
}

/** What this driver has tried. */
interface Tried {
  /** The tasks whose merges it has begun. */
  readonly begun: ReadonlySet<number>;
  /** False: the last setup failed. */
  readonly isSetUp: boolean;
}

/**
 * The first merge that waits for a clean checkout, and now has one; or whose setup failed, if this driver has not tried it yet, and
 * has seen no setup fail since: what was out of reach may be there.
 */
async function freed(
  { readModelPath }: Merging,
  merges: readonly MergeView[],
  { begun, isSetUp }: Tried,
): Promise<MergeView | undefined> {
  for (const merge of merges) {
    if (merge.state !== "waiting") continue;
    if (isSetUp && merge.reason?.startsWith(SETUP_OF) && !begun.has(merge.task_id)) return merge;
    if (merge.folder === null) continue;
    const inTheWay = await whatIsInTheWay(rootOf(readModelPath), merge.base).catch(unlessGit);
    if (inTheWay === undefined) return merge;
  }
  return undefined;
}

function unlessGit(error: unknown): undefined {
  if (error instanceof GitError) return undefined;
  throw error;
}
