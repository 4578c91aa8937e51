import { closeSync, constants, readdirSync, readlinkSync, rmSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { platform } from "../lib/platform/here.ts";
import { branchOf } from "./branches.ts";
import { openedAsIs, readRegular } from "./regular-file.ts";

/**
 * Removes links, FIFOs and devices from a task's worktree's git state, and from the branches of tasks: an
 * agent in a sandbox can make them there, and outside git would write through them or wait at them for
 * ever. Git itself makes none, but for a HEAD that names a branch. Does nothing without such a state.
 *
 * @param worktree its top
 * @throws Error from the system
 */
export function removeSpecialFiles(worktree: string): void {
  // Elsewhere there are no sandboxes, and no `/proc`.
  const state = platform().isolates ? stateOf(worktree) : undefined;
  if (state === undefined) return;
  removeIn(state, DEPTH_LIMIT);
  const common = join(state, "..", "..");
  const branches = dirname(branchOf(0));
  // Other agents may write here now. All of it is files.
  for (const part of ["refs/heads", "logs/refs/heads"]) removeIn(join(common, part, branches), 0);
}

/** Without git, which would wait at a FIFO. */
function stateOf(worktree: string): string | undefined {
  const [, path] = /^gitdir: (.+)\n?$/.exec(readRegular(join(worktree, ".git"))?.toString() ?? "") ?? [];
  const state = path === undefined ? undefined : resolve(worktree, path);
  return state !== undefined && basename(dirname(state)) === "worktrees" ? state : undefined;
}

/** By file descriptors: an agent that still runs could put a link in the place of a folder on the way. */
function removeIn(folder: string, depth: number): void {
  const fd = openedAsIs(folder, constants.O_DIRECTORY);
  if (fd === undefined) return;
  try {
    const here = `/proc/self/fd/${fd}`;
    for (const entry of readdirSync(here, { withFileTypes: true })) {
      const path = `${here}/${entry.name}`;
      if (entry.isDirectory()) {
        if (depth > 0) removeIn(path, depth - 1);
      } else if (!entry.isFile() && !entry.isSocket() && !namesBranch(path)) rmSync(path, { force: true });
    }
  } finally {
    closeSync(fd);
  }
}

/** With `core.preferSymlinkRefs`. Git reads the link's text, and replaces the link itself. */
function namesBranch(path: string): boolean {
  try {
    return basename(path) === "HEAD" && /^refs\/heads\/[^.]/.test(readlinkSync(path));
  } catch {
    return false;
  }
}

/** Git makes no deeper folders there, but for submodules. */
const DEPTH_LIMIT = 32;
