import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { someOf } from "../lib/some-of.ts";
import { checkoutOf, contains, rebaseOf, tipOf } from "./branches.ts";
import { changesIn } from "./changes.ts";
import { git, tryGit } from "./git.ts";
import { withoutPrograms } from "./no-programs.ts";
import { treesIn } from "./tree.ts";

/** Why a branch cannot be moved: where it is checked out, and what prevents it there. */
export interface InTheWay {
  readonly folder: string;
  readonly reason: string;
}

/**
 * Fast-forwards a branch to a commit, with the files if it is checked out.
 *
 * @returns `moved` if it is no longer at `from`; the obstacle if its checkout has local changes
 * @throws GitError
 */
export async function fastForward(
  folder: string,
  { branch, from, to }: { readonly branch: string; readonly from: string; readonly to: string },
): Promise<"done" | "moved" | InTheWay> {
  const now = await tipOf(folder, branch);
  if (now !== undefined && (await contains(folder, now, to))) return "done";
  if (now !== from) return "moved";
  const checkout = await checkoutOf(folder, branch);
  if (checkout === undefined) {
    const rebased = await rebaseInTheWay(folder, branch);
    if (rebased) return rebased;
    const moved = await tryGit(folder, ["update-ref", `refs/heads/${branch}`, to, from]);
    return moved === undefined ? "moved" : "done";
  }
  const inTheWay = await changesInTheWay(checkout);
  const environment = await withoutPrograms(checkout);
  if (inTheWay) {
    if (!(await hasFilesOf(checkout, to))) return inTheWay;
    // A process that died between the files and the branch left them like this; no file changes.
    const moved = await tryGit(checkout, ["update-ref", `refs/heads/${branch}`, to, from]);
    await git(checkout, ["reset", "--quiet", "--mixed", "HEAD"], { environment });
    return moved === undefined ? "moved" : "done";
  }
  // Ignored files matter too, such as this machine's settings: there is no other copy.
  const args = [
    "merge",
    "--quiet",
    "--ff-only",
    "--no-verify",
    "--no-autostash",
    "--no-overwrite-ignore",
    to,
  ];
  try {
    await git(checkout, args, { environment });
  } catch (error) {
    // Somebody may have committed there since the first look.
    if ((await tipOf(folder, branch)) === from) throw error;
    return "moved";
  }
  return (await tipOf(folder, branch)) === to ? "done" : "moved";
}

/** What prevents moving a branch, without changing anything. @throws GitError */
export async function whatIsInTheWay(folder: string, branch: string): Promise<InTheWay | undefined> {
  const checkout = await checkoutOf(folder, branch);
  return checkout === undefined ? rebaseInTheWay(folder, branch) : changesInTheWay(checkout);
}

/** The end of a rebase sets the branch, and fails if that has moved meanwhile. */
async function rebaseInTheWay(folder: string, branch: string): Promise<InTheWay | undefined> {
  const top = await rebaseOf(folder, branch);
  return top === undefined ? undefined : { folder: top, reason: `${branch} is being rebased there` };
}

async function changesInTheWay(checkout: string): Promise<InTheWay | undefined> {
  const changes = await changesIn(checkout, await withoutPrograms(checkout));
  if (changes.length === 0) return undefined;
  const named = someOf(
    changes.map(({ path }) => path),
    { most: 5 },
  );
  return { folder: checkout, reason: `it has uncommitted changes: ${named}` };
}

async function hasFilesOf(checkout: string, commit: string): Promise<boolean> {
  const scratch = mkdtempSync(join(tmpdir(), "signalbox-"));
  try {
    const tree = await treesIn(scratch).of(checkout, AbortSignal.timeout(LOOK_LIMIT_MS));
    return tree === (await git(checkout, ["rev-parse", `${commit}^{tree}`])).trim();
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

const LOOK_LIMIT_MS = 30_000;
