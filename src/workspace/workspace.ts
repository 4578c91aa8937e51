import { hash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { filesFingerprint } from "../lib/files-fingerprint.ts";
import { turns } from "../lib/turns.ts";
import { type ChangedFile, changedIn } from "./diff.ts";
import { isOfGit, isWorkTree } from "./git.ts";
import { treesIn } from "./tree.ts";

/** An agent's folder, and its changes. */
export interface Workspace {
  readonly folder: string;
  /**
   * Its current content. Undefined if unknown: no git, no repository, files that change while git
   * reads, more than 30 seconds, or an abort by `signal`. Never throws, since no caller should fail
   * because of it.
   */
  look(signal?: AbortSignal): Promise<Look | undefined>;
  /** The files that differ between the trees of two looks, sorted by name; renamed ones as such. @throws GitError */
  changes(before: string, after: string): Promise<readonly ChangedFile[]>;
  /** Runs git, which knows the trees of its looks, with no program of the repository. After a look. @throws GitError */
  ask(args: readonly string[], input?: string): Promise<string>;
  /** Removes the scratch folder's content. */
  close(): void;
}

export interface Look {
  /**
   * A fingerprint of git's tree of all files, including untracked ones, and of the state files:
   * equal if nothing changed.
   */
  readonly fingerprint: string;
  readonly tree: string;
  /** The paths of the repositories in it, submodules or not. */
  readonly nested: readonly string[];
}

/**
 * Reads a folder's content with git, which writes only in `scratch`, so that the repository does
 * not change. Includes files of nested repositories; leaves out ignored files and `.ralph/`, except
 * the state files.
 *
 * @param stateFiles paths whose content is part of the fingerprint (docs/rules.md, Stagnation)
 * @param also another scratch folder, whose trees are known too
 */
export function openWorkspace(
  folder: string,
  scratch: string,
  stateFiles: readonly string[],
  also?: string,
): Workspace {
  const trees = treesIn(scratch, { also });
  const treeOf = async (signal: AbortSignal) =>
    (await isWorkTree(folder, signal)) ? trees.of(folder, signal) : undefined;

  let last: { readonly before: string; readonly after: string; readonly listed: Promise<string> } | undefined;

  // One at a time: they share the index.
  const inTurn = turns();

  return {
    folder,
    async look(signal) {
      const tree = await inTurn(() => treeOf(limited(signal))).catch(unknown);
      if (tree === undefined) return undefined;
      const states = stateFiles.map((path) =>
        existsSync(path) ? hash("sha256", readFileSync(path)) : "none",
      );
      return {
        tree,
        nested: trees.nested(),
        fingerprint: filesFingerprint(tree, states),
      };
    },
    async changes(before, after) {
      if (before === after) return [];
      if (last?.before !== before || last.after !== after)
        last = { before, after, listed: trees.ask(folder, [...CHANGES, before, after], limited()) };
      return changedIn(await last.listed);
    },
    ask: (args, input) => trees.ask(folder, args, limited(), input),
    close: () => rmSync(scratch, { recursive: true, force: true }),
  };
}

/** Opens a folder for a time, with a scratch folder of its own, which is removed afterwards. See `openWorkspace`. */
export async function withWorkspace<T>(
  folder: string,
  { stateFiles = [], also }: { readonly stateFiles?: readonly string[]; readonly also?: string },
  use: (workspace: Workspace) => Promise<T>,
): Promise<T> {
  const workspace = openWorkspace(folder, mkdtempSync(join(tmpdir(), "signalbox-")), stateFiles, also);
  try {
    return await use(workspace);
  } finally {
    workspace.close();
  }
}

/** The scratch folder of a session, in that of its run. */
export function scratchIn(runFolder: string): string {
  return join(runFolder, "git");
}

const CHANGES = [
  "-c",
  "core.bigFileThreshold=4m",
  "diff-tree",
  "-r",
  "-z",
  "-M",
  "-l500",
  "--no-relative",
].concat(["--no-ext-diff", "--no-textconv", "--no-color", "--raw", "--numstat"]);

/** A slower one is aborted. */
const LOOK_LIMIT_MS = 30_000;

function limited(signal?: AbortSignal): AbortSignal {
  const limit = AbortSignal.timeout(LOOK_LIMIT_MS);
  return signal ? AbortSignal.any([signal, limit]) : limit;
}

/** @throws errors other than those of git and the file system */
function unknown(error: unknown): undefined {
  if (isOfGit(error)) return undefined;
  throw error;
}
