import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { platform } from "../lib/platform/here.ts";
import { git, gitPath, splitNul } from "./git.ts";
import { withoutPrograms } from "./no-programs.ts";
import { treesIn } from "./tree.ts";

/** A file that differs between two contents of a folder. */
export interface ChangedFile {
  /** Relative to the top of the repository. */
  readonly path: string;
  readonly kind: "added" | "deleted" | "changed" | "renamed";
  /** Its former path. */
  readonly from?: string;
  /** The lines that were added and removed; null for a binary file, or one that is too large. */
  readonly lines: { readonly added: number; readonly removed: number } | null;
}

/** The differences between a commit and a later content. */
export interface Diff {
  /** Sorted by path. @throws GitError */
  files(): Promise<readonly ChangedFile[]>;
  /** The paths of the files with an added or removed line that has a text, in capitals or not. @throws GitError */
  withText(text: string): Promise<ReadonlySet<string>>;
  /** The hunks of a file's diff; empty for a binary file. @throws GitError */
  hunks(path: string): Promise<string>;
}

/**
 * Compares the files of a folder's repository with a commit. New files count, ignored ones and
 * `.ralph/` do not. Git works in a repository of its own that has no settings, hooks and attributes
 * of the compared one: no agent's file decides what is run or hidden.
 *
 * @param scratch a folder for that, and for what the next comparison need not read again
 * @param to a commit; absent: the files as they are now
 * @throws GitError: also where one of the commits is gone
 */
export async function withDiff<Answer>(
  folder: string,
  {
    scratch,
    from,
    to,
    signal,
  }: {
    readonly scratch: string;
    readonly from: string;
    readonly to?: string | undefined;
    readonly signal: AbortSignal;
  },
  read: (diff: Diff) => Promise<Answer>,
): Promise<Answer> {
  const environment = await withoutPrograms(folder, signal);
  const ask = async (...args: string[]) => (await git(folder, args, { environment, signal })).trim();
  const trees = treesIn(scratch, { limit: LARGE });
  const after = to === undefined ? await trees.of(folder, signal) : await ask("rev-parse", `${to}^{tree}`);
  const before = await ask("rev-parse", "--verify", `${from}^{tree}`);
  const store = await gitPath(folder, "objects", { environment, signal });
  const format = await ask("rev-parse", "--show-object-format");
  const own = await emptyRepository(scratch, format, signal);
  const objects =
    to === undefined ? trees.objects() : { GIT_ALTERNATE_OBJECT_DIRECTORIES: JSON.stringify(store) };
  const nested = await nestedIn(ask, before);
  const compare = (how: readonly string[], paths: readonly string[]) =>
    git(own, [...COMPARE, ...how, before, after, "--", ...paths], {
      environment: { ...environment, ...objects },
      signal,
    });
  const everything = [".", ...OURS, ...nested.map((path) => `:(exclude,literal)${path}`)];
  return await read({
    async files() {
      const found = changedIn(await compare(["-z", "--raw", "--numstat"], everything));
      const large = await largeFiles(ask, before, trees.large());
      const others = found.filter(({ path }) => !large.some((file) => file.path === path));
      return [...others, ...large].sort((one, other) => (one.path < other.path ? -1 : 1));
    },
    async withText(text) {
      // In brackets a sign means itself, except `^`.
      const pattern = text.replace(/[^\p{L}\p{N} ]/gu, (sign) => (sign === "^" ? "\\^" : `[${sign}]`));
      return new Set(splitNul(await compare(["-z", "--name-only", "-i", `-G${pattern}`], everything)));
    },
    async hunks(path) {
      const patch = await compare(["-p"], [`:(literal)${path}`]);
      const start = patch.search(/^@@/m);
      return start < 0 ? "" : patch.slice(start);
    },
  });
}

/** A repository without settings. It is moved to its place when it is whole: git may be ended while it makes one, and leave a lock. */
async function emptyRepository(scratch: string, format: string, signal: AbortSignal): Promise<string> {
  const path = join(scratch, `own.${format}.git`);
  if (existsSync(path)) return path;
  const begun = `${path}.begun`;
  rmSync(begun, { recursive: true, force: true });
  await git(scratch, ["init", "--quiet", "--bare", "--template=", `--object-format=${format}`, begun], {
    signal,
  });
  platform().files.replace(begun, path);
  return path;
}

const COMPARE = [
  "-c",
  "core.bigFileThreshold=4m",
  "--git-dir=.",
  ...["diff-tree", "-r", "--no-renames", "--no-ext-diff", "--no-textconv", "--no-color"],
];
const OURS = [":(exclude,glob)**/.ralph/**"];

/** In bytes. Larger new and changed files are named, but not read. */
const LARGE = 20_000_000;

async function largeFiles(
  ask: (...args: string[]) => Promise<string>,
  before: string,
  large: readonly string[],
): Promise<ChangedFile[]> {
  if (large.length === 0) return [];
  const names = ["ls-tree", "-r", "-z", "--full-tree", "--name-only", before, "--", ...large];
  const known = new Set(splitNul(await ask(...names)));
  return large.map((path) => ({ path, kind: known.has(path) ? "changed" : "added", lines: null }));
}

/** Repositories in it: the commit has only a link to each. */
async function nestedIn(ask: (...args: string[]) => Promise<string>, tree: string): Promise<string[]> {
  const listed = splitNul(await ask("ls-tree", "-r", "-z", "--full-tree", tree));
  return listed
    .filter((line) => line.startsWith("160000 "))
    .map((line) => line.slice(line.indexOf("\t") + 1));
}

/** @param listed by `diff-tree -z --raw --numstat`: a renamed file has two paths in both */
export function changedIn(listed: string): ChangedFile[] {
  const kinds = new Map<string, ChangedFile["kind"]>();
  const files: ChangedFile[] = [];
  const parts = listed.split("\0");
  for (let nth = 0; nth < parts.length; nth++) {
    const part = parts[nth] ?? "";
    const [, status] = /^:\d+ \d+ \S+ \S+ ([A-Z])\d*$/.exec(part) ?? [];
    if (status !== undefined) {
      nth += status === "R" ? 2 : 1;
      kinds.set(parts[nth] ?? "", KINDS[status] ?? "changed");
      continue;
    }
    const [, added, removed, named] = /^(\d+|-)\t(\d+|-)\t([\s\S]*)$/.exec(part) ?? [];
    if (named === undefined) continue;
    const lines = added === "-" ? null : { added: Number(added), removed: Number(removed) };
    if (named !== "") files.push({ path: named, kind: kinds.get(named) ?? "changed", lines });
    else {
      const [from = "", path = ""] = parts.slice(nth + 1, nth + 3);
      nth += 2;
      files.push({ path, kind: "renamed", from, lines });
    }
  }
  return files;
}

const KINDS: Readonly<Record<string, ChangedFile["kind"]>> = { A: "added", D: "deleted", R: "renamed" };
