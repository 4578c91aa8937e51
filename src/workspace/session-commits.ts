import { join } from "node:path";
import { z } from "zod";
import { parsedJson } from "../lib/json.ts";
import { contentOf, writeWhole } from "../lib/write-whole.ts";
import { type Beginning, beginning, gitId } from "./evidence/beginning.ts";
import { git, isOfGit } from "./git.ts";

const commits = z.object({
  /** Whether the task has a worktree of its own. */
  worktree: z.boolean(),
  /** The last commit when the agent started. */
  start: gitId,
  /** Whether the files were those of that commit. */
  clean: z.boolean(),
  /** The last commit when the session ended. */
  end: gitId.optional(),
  /** Where its agent works, if no loop runs it. */
  folder: z.string().optional(),
  /** With what its end is compared. */
  began: beginning.optional().catch(undefined),
});

/** The commits between which a session worked. */
export type SessionCommits = z.infer<typeof commits>;

/** The file in the folder of a session's run in which they are kept. */
export function commitsFileIn(runFolder: string): string {
  return join(runFolder, "commits.json");
}

/** @returns undefined if none were kept, or the file is unreadable */
export function sessionCommits(runFolder: string): SessionCommits | undefined {
  const text = contentOf(commitsFileIn(runFolder));
  return commits.safeParse(parsedJson(text ?? "")).data;
}

/** The session of which the commits are kept. */
interface Kept {
  /** Of its run. */
  readonly runFolder: string;
  /** In which its agent works. */
  readonly folder: string;
}

/**
 * Keeps the commit at which an agent starts, and what evidence needs; without git, none.
 *
 * @param tree of its files
 * @param began absent: nobody asks for evidence
 */
export async function keepStart(
  of: Kept,
  {
    tree,
    began,
    ...more
  }: Pick<SessionCommits, "worktree" | "folder"> & {
    readonly tree: string | undefined;
    readonly began?: Beginning | undefined;
  },
) {
  await keep(of, async () => {
    const told = await git(of.folder, ["rev-parse", "HEAD^{commit}", "HEAD^{tree}"]);
    const [start = "", committed] = told.trim().split("\n");
    return { ...more, start, clean: tree === committed, ...(began && { began }) };
  });
}

/** Keeps the commit at which its session ends. */
export async function keepEnd(of: Kept): Promise<void> {
  await keep(of, async () => {
    const before = sessionCommits(of.runFolder);
    return before && { ...before, end: (await git(of.folder, ["rev-parse", "HEAD^{commit}"])).trim() };
  });
}

/** Nothing depends on the file: a failure is ignored. */
async function keep({ runFolder }: Kept, look: () => Promise<SessionCommits | undefined>): Promise<void> {
  try {
    const found = await look();
    if (found) writeWhole(commitsFileIn(runFolder), `${JSON.stringify(found)}\n`);
  } catch (error) {
    if (!isOfGit(error)) throw error;
  }
}
