import { z } from "zod";
import { parsedJson } from "../lib/json.ts";
import { contentOf, writeWhole } from "../lib/write-whole.ts";
import { type Beginning, beginning, gitId } from "../workspace/evidence/beginning.ts";
import { git, isOfGit } from "../workspace/git.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { runFolderOf } from "./run-folder.ts";

const commits = z.object({
  /** Whether the task has a worktree of its own. */
  worktree: z.boolean(),
  /** The last commit when the agent started. */
  start: gitId,
  /** Whether the files were those of that commit. */
  clean: z.boolean(),
  /** The last commit when the session ended. */
  end: gitId.optional(),
  /** With what its end is compared. */
  began: beginning.optional().catch(undefined),
});

/** The commits between which a session worked. */
export type SessionCommits = z.infer<typeof commits>;

/** Undefined: none were kept, or the file is unreadable. */
export function sessionCommits(readModelPath: string, session: string): SessionCommits | undefined {
  const text = contentOf(runFolderOf(readModelPath, session).commitsFile);
  return commits.safeParse(parsedJson(text ?? "")).data;
}

/** The session of which the commits are kept. */
interface Kept {
  readonly readModelPath: string;
  readonly session: string;
  readonly workspace: Pick<Workspace, "folder">;
}

/**
 * Keeps the commit at which an agent starts, and what evidence needs; without git, none.
 *
 * @param tree of its files
 * @param began absent: nobody asks for evidence
 */
export async function keepStart(
  of: Kept,
  { worktree, tree, began }: { worktree: boolean; tree: string | undefined; began?: Beginning | undefined },
) {
  await keep(of, async (folder) => {
    const told = await git(folder, ["rev-parse", "HEAD^{commit}", "HEAD^{tree}"]);
    const [start = "", committed] = told.trim().split("\n");
    return { worktree, start, clean: tree === committed, ...(began && { began }) };
  });
}

/** Keeps the commit at which its session ends. */
export async function keepEnd(of: Kept): Promise<void> {
  await keep(of, async (folder) => {
    const before = sessionCommits(of.readModelPath, of.session);
    return before && { ...before, end: (await git(folder, ["rev-parse", "HEAD^{commit}"])).trim() };
  });
}

/** Nothing depends on the file: a failure is ignored. */
async function keep(
  { readModelPath, session, workspace }: Kept,
  look: (folder: string) => Promise<SessionCommits | undefined>,
): Promise<void> {
  try {
    const found = await look(workspace.folder);
    if (found) writeWhole(runFolderOf(readModelPath, session).commitsFile, `${JSON.stringify(found)}\n`);
  } catch (error) {
    if (!isOfGit(error)) throw error;
  }
}
