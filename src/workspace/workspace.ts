import { hash } from "node:crypto";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { turns } from "../lib/turns.ts";
import { GitError, isWorkTree } from "./git.ts";
import { treesIn } from "./tree.ts";

/** The folder that an agent works in, and what changes there. */
export interface Workspace {
  readonly folder: string;
  /**
   * What is in it now. Undefined where that cannot be known: no git, no repository, files that come and go while git looks, a look
   * that takes longer than 30 seconds or that `signal` has ended. Nobody is to fail for that, so it never throws.
   */
  look(signal?: AbortSignal): Promise<Look | undefined>;
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
 * Looks at a folder by way of git, which writes in `scratch` alone, so that nothing in the repository changes. Files of
 * repositories in it count too, ignored files do not, nor does `.ralph/` but for the state files.
 *
 * @param stateFiles paths whose content is part of the fingerprint (docs/rules.md, Stagnation)
 */
export function openWorkspace(folder: string, scratch: string, stateFiles: readonly string[]): Workspace {
  const trees = treesIn(scratch);
  const treeOf = async (signal: AbortSignal) =>
    (await isWorkTree(folder, signal)) ? trees.of(folder, signal) : undefined;

  // One look at a time: they share the index.
  const inTurn = turns();

  return {
    folder,
    async look(signal) {
      const tree = await inTurn(() => treeOf(limited(signal))).catch(unknown);
      if (tree === undefined) return undefined;
      const states = stateFiles.map((path) =>
        existsSync(path) ? hash("sha256", readFileSync(path)) : "none",
      );
      return { tree, fingerprint: hash("sha256", [tree, ...states].join("\n")).slice(0, 40) };
    },
    async changedFiles(before, after) {
      if (before.tree === after.tree) return [];
      const names = await trees.differing(folder, before.tree, after.tree, limited()).catch(unknown);
      return (names ?? "")
        .split("\0")
        .filter((name) => name !== "")
        .sort();
    },
    close: () => rmSync(scratch, { recursive: true, force: true }),
  };
}

/** A look that takes longer is given up. */
const LOOK_LIMIT_MS = 30_000;

function limited(signal?: AbortSignal): AbortSignal {
  const limit = AbortSignal.timeout(LOOK_LIMIT_MS);
  return signal ? AbortSignal.any([signal, limit]) : limit;
}

/** @throws what is no failure of git or of the file system */
function unknown(error: unknown): undefined {
  if (error instanceof GitError || (error instanceof Error && "syscall" in error)) return undefined;
  throw error;
}
