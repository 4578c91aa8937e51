import type { Project } from "../../api/project.ts";
import { eventAt } from "../../events/event-at.ts";
import { eventsOfStream } from "../../events/events-by-page.ts";
import { taskStream } from "../../events/types/fields.ts";
import type { PayloadOf } from "../../events/types/index.ts";
import { named } from "../../events/types/work-words.ts";
import { filesFingerprint } from "../../lib/files-fingerprint.ts";
import { shellWord } from "../../lib/shell-word.ts";
import { shorten } from "../../lib/shorten.ts";
import type { MergeRow } from "../../projections/board/merge-tables.ts";
import { leftOnBranch } from "../../queries/session-work.ts";
import { differing } from "../../workspace/evidence/left-behind.ts";
import { mendOf, takenBack } from "../../workspace/evidence/undoes.ts";
import { GitError, git, tryGit } from "../../workspace/git.ts";
import { worktreeFolder } from "../../workspace/worktree.ts";
import { rootOf } from "./commit-work.ts";

/*
 * A merge brings what was verified, and takes nothing back (docs/decisions/0074). What is in the way is said to a human, who may queue
 * it nevertheless.
 */

type Begun = Pick<PayloadOf<"merge.begun">, "task" | "branch" | "base">;

/** Where it is merged. */
interface In {
  readonly project: Project;
  readonly readModelPath: string;
}

/**
 * @param commit the branch's last one
 * @throws GitError: it came after the end of the task's last session, and no human has queued it
 */
export async function refuseUnverified(
  { begun, before }: { readonly begun: Begun; readonly before: Pick<MergeRow, "queued"> },
  { project, readModelPath }: In,
  commit: string,
): Promise<void> {
  const { task, branch, base } = begun;
  const left = await leftOf(project, task);
  if (!left || left.head === commit) return;
  const queued = before.queued === null ? undefined : await eventAt(project.log, before.queued);
  if (queued?.type === "merge.queued" && queued.payload.commit === commit) return;
  const root = rootOf(readModelPath);
  const tree = await git(root, ["rev-parse", `${commit}^{tree}`]);
  // The same files, in another commit: as that has them, or as they were found.
  if (tree === (await tryGit(root, ["rev-parse", `${left.head}^{tree}`]))) return;
  if (filesFingerprint(tree.trim()) === left.fingerprint) return;
  const [now, end] = [commit, left.head].map((id) => id.slice(0, 12));
  await refuseUnlessTold(
    project,
    task,
    `${branch} is at ${now}, but its last session ended with ${end}: what came after was not looked at. ` +
      `See what came after with \`git log -p ${now} --not ${end} ${shellWord(base)}\`; to merge the branch as it is, run \`signalbox merge queue ${task}\`.`,
  );
}

/**
 * @param onto the base's last commit
 * @param to the merge's result
 * @throws GitError: it would take back what others have brought into the base since the work began, and no human has agreed
 */
export async function refuseUndoing(
  { task, branch, base }: Begun,
  { project, readModelPath }: In,
  { commit, onto, to }: { readonly commit: string; readonly onto: string; readonly to: string },
): Promise<void> {
  const left = await leftOf(project, task);
  if (!left || left.fork === null || left.undoes === "note") return;
  const root = rootOf(readModelPath);
  const ask = (args: readonly string[]) => git(root, args);
  const found = await takenBack(ask, { fork: left.fork, start: left.begun, base: onto, result: to });
  // Where more were found than are named, all that could be were said.
  const said = left.allBack ? await differing({ ask }, left.fork, left.allBack) : left.takesBack;
  const paths = found.filter((path) => !said.includes(path));
  if (paths.length === 0) return;
  await refuseUnlessTold(
    project,
    task,
    `${branch}, at ${commit.slice(0, 12)}, takes back what others brought into ${base} since its work began: ${named(paths)}. ` +
      `${await mendOf(paths, base, ask, onto)} in ${worktreeFolder(root, task)}, commit, and run \`signalbox merge queue ${task}\`; if it has to go, run that alone.`,
  );
}

function leftOf(project: Project, task: number) {
  return project.ask((readModel) => leftOnBranch(readModel, task));
}

/** What a merge has waited for is queued again by a human alone, who has read why. */
async function refuseUnlessTold({ log }: Project, task: number, why: string): Promise<void> {
  const reason = shorten(why, 5_000);
  for await (const event of eventsOfStream(log, taskStream({ task })))
    if (event.type === "merge.waits" && event.payload.reason === reason) return;
  throw new GitError(reason);
}
