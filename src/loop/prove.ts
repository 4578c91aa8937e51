import { basename, dirname } from "node:path";
import { worktreesOf } from "../config/schema.ts";
import { stateOf } from "../decisions/state.ts";
import { type CommandResult, passes } from "../events/types/command-result.ts";
import { isFilePath } from "../events/types/fields.ts";
import { WITHOUT_LIMIT } from "../events/types/gate-runs.ts";
import { filesInWords } from "../events/types/gate-words.ts";
import { gateCommand } from "../gates/gate-command.ts";
import { runCommand } from "../gates/runner/run-command.ts";
import { runFolderBeside } from "../lib/project-folder.ts";
import { bearsOut } from "../projections/board/settlement.ts";
import type { Gate } from "../projections/board/tables.ts";
import { catchUp } from "../read-model/worker.ts";
import { branchOf, contains, tipOf } from "../workspace/branches.ts";
import { git, splitNul } from "../workspace/git.ts";
import { withoutPrograms } from "../workspace/no-programs.ts";
import { isTestFile } from "../workspace/tests-by-name.ts";
import { baseOf, forkOf, isOfCopy } from "./baseline.ts";
import type { Claim } from "./claim.ts";
import { rootOf } from "./merge/commit-work.ts";
import { type Copy, inCopy } from "./merge/copy.ts";
import type { Surroundings } from "./surroundings.ts";
import { whileOpen } from "./while-open.ts";

/**
 * Runs each passed gate of a session that closed with a verified done on a copy of its branch without the task's changes, those of
 * tests left in: one that passes did not test the work. Where it fails, by halves a smaller set of files is sought (docs/gates.md,
 * Proof). Nothing without worktrees. Limited to the time of a session; if it fails for any reason, nothing is known.
 *
 * @throws LogError, ReadModelError
 */
export async function proveGates(claim: Claim, surroundings: Surroundings): Promise<void> {
  const { session, task } = claim;
  const { project, config, readModelPath, tell } = surroundings;
  const { readModel, log } = project.store;
  if (!config.gates.prove || !worktreesOf(config)) return;
  await catchUp(readModel, log);
  const { sessions, gates } = stateOf(readModel);
  const { last_closing, completed_at } = sessions.get(session) ?? {};
  const all = gates.where({ task_id: task.id });
  if (last_closing !== "done" || completed_at !== null || !all.every(bearsOut)) return;
  const passed = all.filter(({ state }) => state === "passed");
  const root = rootOf(readModelPath);
  await whileOpen(claim, surroundings, async (signal) => {
    try {
      const tip = passed.length === 0 ? undefined : await tipOf(root, branchOf(task.id));
      if (tip === undefined) return;
      const base = await baseOfWork(surroundings, task.id, tip);
      const work = (await changedBetween(root, base, tip)).filter(
        (path) => !isTestFile(path) && basename(path) !== ".gitmodules",
      );
      if (work.length === 0) return;
      const preparing = { project, readModelPath, config, task: task.id, signal, tell };
      await inCopy("proof", base, preparing, async (copy) => {
        for (const gate of passed) await prove(gate, { base, tip, work, copy, signal }, claim, surroundings);
      });
    } catch (error) {
      // Aborted: what was not finished says nothing.
      if (signal.aborted && error === signal.reason) return;
      if (!isOfCopy(error)) throw error;
      tell({ step: "proof_ended", session, task: task.id, gate: null, says: error.message });
    }
  });
}

interface Proof {
  readonly base: string;
  readonly tip: string;
  /** The files that the task changed, those of tests left out. */
  readonly work: readonly string[];
  readonly copy: Copy;
  readonly signal: AbortSignal;
}

async function prove(
  gate: Gate,
  { base, tip, work, copy, signal }: Proof,
  { session, task: { id: task } }: Claim,
  { project, config, readModelPath, tell }: Surroundings,
): Promise<void> {
  const { gate: number, command } = gate;
  const { readModel, log } = project.store;
  const step = { session, task, gate: number };
  const run = async (without: readonly string[]) => {
    await copy.checkOut(tip);
    await restore(copy.top, base, without);
    const where = { folder: copy.folder, runFolder: runFolderBeside(readModelPath), config };
    const result = await runCommand({ ...gateCommand(gate, where), signal });
    // An aborted run says nothing about the work.
    signal.throwIfAborted();
    return result;
  };
  const record = async (without: readonly string[], result: CommandResult) => {
    const files = without.filter(isFilePath).slice(0, WITHOUT_LIMIT);
    const named = { files, more: without.length - files.length };
    const payload = { task, gate: number, session, command, without: named, ...result };
    await log.append([{ type: "gate.baselined", actor: project.actor, correlation: session, payload }]);
    await catchUp(readModel, log);
  };

  tell({ step: "proof_started", ...step, command });
  const first = await run(work);
  if (passes(first)) {
    await record(work, first);
    tell({ step: "proof_ended", ...step, says: "green without the work" });
    return;
  }
  // A failure says something only where it passes with the work, and a timeout says nothing.
  if (first.timed_out || !passes(await run([]))) {
    tell({ step: "proof_ended", ...step, says: first.timed_out ? TIMED_OUT : FAILS_ALWAYS });
    return;
  }
  await record(work, first);
  let needed = work;
  let left = config.gates.prove_runs - 1;
  const isNeeded = async (half: readonly string[]) => {
    if (left === 0) return false;
    left -= 1;
    const result = await run(half);
    await record(half, result);
    return !passes(result) && !result.timed_out;
  };
  while (needed.length > 1) {
    const middle = Math.ceil(needed.length / 2);
    const [one, other] = [needed.slice(0, middle), needed.slice(middle)];
    if (await isNeeded(one)) needed = one;
    else if (await isNeeded(other)) needed = other;
    else break;
  }
  tell({ step: "proof_ended", ...step, says: `red without ${filesInWords({ files: needed, more: 0 })}` });
}

const TIMED_OUT = "timed out without the work: nothing is known";
const FAILS_ALWAYS = "fails in a copy, with the work too: nothing is known";

/** The later of the commit where its gates ran without it, and what its branch has in common with the base. */
async function baseOfWork(surroundings: Surroundings, task: number, tip: string): Promise<string> {
  const root = rootOf(surroundings.readModelPath);
  const fork = await forkOf(surroundings, tip);
  const first = baseOf(surroundings, task);
  // With what other tasks' branches brought that are not merged yet.
  const isLater =
    first !== undefined && (await contains(root, tip, first)) && (await contains(root, first, fork));
  return isLater ? first : fork;
}

/** Without submodules: nothing takes their files back. @throws GitError */
async function changedBetween(root: string, base: string, tip: string): Promise<string[]> {
  const how = ["-r", "-z", "--name-only", "--no-renames", "--ignore-submodules=all"];
  return splitNul(await git(root, ["diff-tree", ...how, base, tip]));
}

/** Files as a commit has them; those that it does not have are removed. @throws GitError */
async function restore(top: string, commit: string, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return;
  const input = paths.map((path) => `${path}\0`).join("");
  const from = ["restore", `--source=${commit}`, "--staged", "--worktree"];
  await git(top, ["--literal-pathspecs", ...from, "--pathspec-from-file=-", "--pathspec-file-nul"], {
    input,
    environment: { ...(await withoutPrograms(top)), GIT_CEILING_DIRECTORIES: dirname(top) },
  });
}
