import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Project } from "../../api/project.ts";
import type { PayloadOf } from "../../events/types/index.ts";
import { ralphFolderOf } from "../../lib/project-folder.ts";
import { shorten } from "../../lib/shorten.ts";
import { oneLine } from "../../lib/visible.ts";
import { branchOf } from "../../workspace/branches.ts";
import { commitLeft } from "../../workspace/commit-left.ts";
import { isOfGit } from "../../workspace/git.ts";
import { refuseBrought } from "../../workspace/own-files.ts";
import { keptRef } from "../../workspace/removal.ts";
import { keepSubmodules } from "../../workspace/submodules.ts";
import { worktreeFolder } from "../../workspace/worktree.ts";
import type { Step } from "../steps.ts";

/** The project's folder, which contains `.ralph/`. */
export function rootOf(readModelPath: string): string {
  return join(ralphFolderOf(readModelPath), "..");
}

/**
 * Commits the remaining files of a task's worktree to its branch, and reports and records the
 * committed and the left-out files. A failed commit is not the session's fault: it is reported, and
 * the files stay as they are.
 *
 * @param session the session that ended; absent: before a merge
 * @returns why the work is not on its branch; undefined if it is
 * @throws LogError
 */
export async function commitWork(
  project: Project,
  { task, session }: { readonly task: number; readonly session?: string | undefined },
  {
    readModelPath,
    author,
    tell,
  }: {
    readonly readModelPath: string;
    readonly author: string | undefined;
    readonly tell: (step: Step) => void;
  },
): Promise<string | undefined> {
  const folder = worktreeFolder(rootOf(readModelPath), task);
  if (!existsSync(join(folder, ".git"))) return undefined;
  const branch = branchOf(task);
  const told: PayloadOf<"workspace.committed"> = await commitLeft(folder, {
    branch,
    message: await messageOf(project, task, session),
    author,
  }).then(
    ({ commit, files, leftOut, unresolved }) => ({
      ...{ task, branch, files },
      ...(commit !== undefined && { commit }),
      left_out: leftOut
        .slice(0, LEFT_OUT_LIMIT)
        .map(({ path, reason }) => ({ path: shortLine(path, 4_096), reason: shortLine(reason, 500) })),
      ...(unresolved.length > 0 && {
        problem: shortLine(`conflicts are not resolved in ${unresolved.join(", ")}`, 2_000),
      }),
    }),
    (error: unknown) => {
      if (!isOfGit(error)) throw error;
      return { task, branch, files: 0, left_out: [], problem: shortLine(error.message, 2_000) };
    },
  );
  const { commit, left_out, problem = await whyNotMerged(rootOf(readModelPath), task) } = told;
  // The left-out files were reported at the session's end.
  const isNews = session !== undefined && left_out.length > 0;
  if (commit === undefined && !isNews && problem === undefined) return undefined;
  await project.log.append([
    {
      type: "workspace.committed",
      actor: project.actor,
      ...(session !== undefined && { correlation: session }),
      payload: {
        ...told,
        ...(problem !== undefined && { problem }),
        ...(session !== undefined && { session }),
      },
    },
  ]);
  tell({
    step: "committed",
    ...{ session: session ?? null, task, branch, files: told.files },
    commit: commit ?? null,
    left_out,
    problem: problem ?? null,
  });
  return problem;
}

/**
 * The message of a commit of a task's work, from the log: the task's title, the last summary of the
 * work, and its author.
 */
export async function messageOf(project: Project, task: number, session?: string): Promise<string> {
  const row = await project.queries.taskRow(task);
  const sessions = await project.queries.sessions({ task });
  const last = session === undefined ? sessions.at(-1)?.id : session;
  const said = last === undefined ? undefined : (await project.queries.sessionRow(last))?.last_closing_text;
  return [
    shorten(`Task ${task}: ${oneLine(row?.title ?? "").trim()}`, SUBJECT_LIMIT),
    ...(said ? [said.trim()] : []),
    [`Task: ${task}`, ...(last === undefined ? [] : [`Session: ${last}`])].join("\n"),
  ].join("\n\n");
}

/** Undefined: its branch can be merged, and the commits in its submodules are found elsewhere. */
async function whyNotMerged(root: string, task: number): Promise<string | undefined> {
  try {
    await refuseBrought(root, `refs/heads/${branchOf(task)}`);
    await keepSubmodules(root, worktreeFolder(root, task), keptRef(task));
    return undefined;
  } catch (error) {
    if (!isOfGit(error)) throw error;
    return shortLine(error.message, 2_000);
  }
}

const SUBJECT_LIMIT = 100;
const LEFT_OUT_LIMIT = 100;

function shortLine(text: string, limit: number): string {
  return shorten(oneLine(text).trim(), limit) || "?";
}
