import { hash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { turns } from "../turns.ts";
import { GitError, git, isWorkTree } from "./git.ts";

/** The folder that an agent works in, and what changes there. */
export interface Workspace {
  readonly folder: string;
  /**
   * What is in it now. Undefined where that cannot be known: no git, no repository, or files that come and go while git looks.
   * Nothing depends on it but what is shown, so it never throws.
   */
  look(): Promise<Look | undefined>;
  /** The files that differ between two looks, in the order of their names; none where that cannot be known. */
  changedFiles(before: Look, after: Look): Promise<string[]>;
  /** Removes what looking has left in its scratch folder. */
  close(): void;
}

export interface Look {
  /** Of git's tree of all files, those it does not know yet included, and of the state files: equal ones mean that nothing changed. */
  readonly fingerprint: string;
  readonly tree: string;
}

/**
 * Looks at a folder by way of git: an index and a store of objects of its own in `scratch`, so that nothing in the repository
 * changes. Ignored files do not count, nor does `.ralph/` but for the state files.
 *
 * @param stateFiles paths whose content is part of the fingerprint (seed 000, stagnation)
 */
export function openWorkspace(folder: string, scratch: string, stateFiles: readonly string[]): Workspace {
  async function treeOf(): Promise<string | undefined> {
    if (!(await isWorkTree(folder))) return undefined;
    mkdirSync(join(scratch, "objects"), { recursive: true, mode: 0o700 });
    const top = (await git(folder, ["rev-parse", "--show-toplevel"])).trim();
    const index = join(scratch, "index");
    const own = (await git(top, ["rev-parse", "--path-format=absolute", "--git-path", "index"])).trim();
    const environment = await surroundings(top);
    if (!existsSync(index) && existsSync(own)) {
      // With the times and sizes that the real index knows, only what changed is read.
      copyFileSync(own, index);
      // What was committed of it counts no more than what was not: a commit changes no file.
      await git(top, ["rm", "-r", "-f", "--cached", "--quiet", "--ignore-unmatch", "--", OURS], environment);
    }
    await git(
      top,
      ["add", "--all", "--ignore-errors", "--", ".", `:(exclude,top,glob)${OUR_FILES}`],
      environment,
    );
    return (await git(top, ["write-tree"], environment)).trim();
  }

  async function differing(before: string, after: string): Promise<string> {
    const top = (await git(folder, ["rev-parse", "--show-toplevel"])).trim();
    const args = ["diff-tree", "-r", "-z", "--no-renames", "--name-only", before, after];
    return git(top, args, await surroundings(top));
  }

  async function surroundings(top: string): Promise<Record<string, string>> {
    const objects = (await git(top, ["rev-parse", "--path-format=absolute", "--git-path", "objects"])).trim();
    return {
      GIT_INDEX_FILE: join(scratch, "index"),
      GIT_OBJECT_DIRECTORY: join(scratch, "objects"),
      GIT_ALTERNATE_OBJECT_DIRECTORIES: objects,
    };
  }

  // One look at a time: they share the index.
  const inTurn = turns();

  return {
    folder,
    async look() {
      const tree = await inTurn(treeOf).catch(unknown);
      if (tree === undefined) return undefined;
      const states = stateFiles.map((path) =>
        existsSync(path) ? hash("sha256", readFileSync(path)) : "none",
      );
      return { tree, fingerprint: hash("sha256", [tree, ...states].join("\n")).slice(0, 40) };
    },
    async changedFiles(before, after) {
      if (before.tree === after.tree) return [];
      const names = await differing(before.tree, after.tree).catch(unknown);
      return (names ?? "")
        .split("\0")
        .filter((name) => name !== "")
        .sort();
    },
    close: () => rmSync(scratch, { recursive: true, force: true }),
  };
}

const OUR_FILES = "**/.ralph/**";
const OURS = `:(top,glob)${OUR_FILES}`;

/** @throws what is no failure of git or of the file system */
function unknown(error: unknown): undefined {
  if (error instanceof GitError || (error instanceof Error && "syscall" in error)) return undefined;
  throw error;
}
