import { existsSync } from "node:fs";
import { maskedBeginning } from "../lib/mask-secrets.ts";
import { sessionFolderOf } from "../lib/project-folder.ts";
import type { Session } from "../projections/board/tables.ts";
import { type ChangedFile, type Diff, withDiff } from "../workspace/diff.ts";
import { GitError, isWorkTree, tryGit } from "../workspace/git.ts";
import { inKeptScratch } from "../workspace/kept-scratch.ts";
import { withoutPrograms } from "../workspace/no-programs.ts";
import { secretByName } from "../workspace/secrets.ts";
import { sessionCommits } from "../workspace/session-commits.ts";
import { worktreeFolder } from "../workspace/worktree.ts";
import { rootOf } from "./merge/commit-work.ts";

/** How a session changed the files, compared with the commit at which its agent started. */
export interface SessionChanges {
  readonly from: string;
  /** The commit at which it ended; null: the files are those of now. */
  readonly to: string | null;
  readonly worktree: boolean;
  /** Whether all changes since `from` were made after the agent started. */
  readonly clean: boolean;
  /** The first ones, and how many more there are. */
  readonly files: readonly ChangedFile[];
  readonly more: number;
  /** Lines of all files. */
  readonly added: number;
  readonly removed: number;
  /** Of the opened files. */
  readonly opened: readonly OpenedFile[];
}

interface OpenedFile {
  readonly path: string;
  /** The hunks of its diff, secrets masked. */
  readonly hunks: string;
  /** How many characters of them are not shown; 0: none. */
  readonly cut: number;
  /** Why there are none. */
  readonly hidden: "secret" | "binary" | "room" | null;
}

/** Why the changes are unknown. */
export type NoChanges =
  /** Nothing was kept at the session's start or end; or its commits or its folder are gone. */
  { readonly missing: "not_kept" | "gone" } | { readonly missing: "failed"; readonly reason: string };

export interface ChangesWish {
  readonly open: readonly string[];
  /** Only files with it in their path or in a changed line. */
  readonly text?: string | undefined;
  /** As for `maskSecrets`. */
  readonly secrets: readonly string[];
  /** Aborts it. */
  readonly signal: AbortSignal;
}

/**
 * Compares the files of a running session as they are, those of an ended one as it left them.
 *
 * @throws the reason of the wish's signal
 */
export async function sessionChanges(
  readModelPath: string,
  { id, task_id, completed_at }: Pick<Session, "id" | "task_id" | "completed_at">,
  wish: ChangesWish,
): Promise<SessionChanges | NoChanges> {
  const commits = sessionCommits(sessionFolderOf(readModelPath, id));
  const isRunning = completed_at === null;
  if (!commits || (!isRunning && commits.end === undefined)) return { missing: "not_kept" };
  const root = rootOf(readModelPath);
  const folder = isRunning && commits.worktree && task_id !== null ? worktreeFolder(root, task_id) : root;
  if (!existsSync(folder)) return { missing: "gone" };
  const { start: from, worktree, clean } = commits;
  const to = isRunning ? undefined : commits.end;
  try {
    const compared = await inKeptScratch(`${readModelPath} ${id}`, async (scratch) => {
      wish.signal.throwIfAborted();
      const signal = AbortSignal.any([wish.signal, AbortSignal.timeout(LIMIT_MS)]);
      return withDiff(folder, { scratch, from, to, signal }, (diff) => read(diff, wish));
    });
    return { from, to: to ?? null, worktree, clean: clean || to !== undefined, ...compared };
  } catch (error) {
    wish.signal.throwIfAborted();
    if (!(error instanceof GitError)) throw error;
    if (await isGone(folder, to === undefined ? [from] : [from, to])) return { missing: "gone" };
    const isLate = error.cause instanceof Error && error.cause.name === "AbortError";
    return {
      missing: "failed",
      reason: isLate ? `git took longer than ${LIMIT_MS / 1_000} seconds` : error.message,
    };
  }
}

/** Whether the folder, or one of the commits, is no longer there. */
async function isGone(folder: string, commits: readonly string[]): Promise<boolean> {
  if (!existsSync(folder)) return true;
  // Without git, or in a folder that it cannot read, nothing is known.
  if (!(await isWorkTree(folder))) return false;
  const environment = await withoutPrograms(folder);
  const found = await Promise.all(
    commits.map((commit) =>
      tryGit(folder, ["rev-parse", "--verify", "--quiet", `${commit}^{tree}`], { environment }),
    ),
  );
  return found.includes(undefined);
}

const LIMIT_MS = 20_000;

async function read(diff: Diff, { open, text = "", secrets }: ChangesWish) {
  const all = await diff.files();
  const searched = text.toLowerCase();
  const hits = text === "" ? undefined : await diff.withText(text);
  const files = hits
    ? all.filter(
        ({ path }) =>
          path.toLowerCase().includes(searched) || (hits.has(path) && secretByName(path) === undefined),
      )
    : all;
  const opened: OpenedFile[] = [];
  let room = ROOM;
  for (const path of open.filter((one) => files.some((file) => file.path === one))) {
    const file = await openFile(diff, path, { secrets, room, isBinary: isBinary(files, path) });
    room -= file.hunks.length;
    opened.push(file);
  }
  return {
    files: files.slice(0, FILES),
    more: Math.max(0, files.length - FILES),
    added: files.reduce((sum, { lines }) => sum + (lines?.added ?? 0), 0),
    removed: files.reduce((sum, { lines }) => sum + (lines?.removed ?? 0), 0),
    opened,
  };
}

const isBinary = (files: readonly ChangedFile[], path: string) =>
  files.find((file) => file.path === path)?.lines === null;

async function openFile(
  diff: Diff,
  path: string,
  { secrets, room, isBinary }: { secrets: readonly string[]; room: number; isBinary: boolean },
): Promise<OpenedFile> {
  const without = (hidden: OpenedFile["hidden"]) => ({ path, hunks: "", cut: 0, hidden });
  if (secretByName(path) !== undefined) return without("secret");
  if (isBinary) return without("binary");
  if (room <= 0) return without("room");
  const { text, cut } = maskedBeginning(await diff.hunks(path), Math.min(PATCH, room), secrets);
  return { path, hunks: text, cut, hidden: null };
}

const FILES = 500;
/** In characters: of one file, and of all opened ones. */
const PATCH = 100_000;
const ROOM = 400_000;
