import { hash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  lstatSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { makePrivateFolder } from "../lib/private-folder.ts";
import { GitError, git, gitPath, splitNul } from "./git.ts";
import { withoutPrograms } from "./no-programs.ts";
import { readRegular } from "./regular-file.ts";

/** Git trees of folders' content, made with a separate index and object store. */
export interface Trees {
  /**
   * The tree of all files of a folder's repository, including new files and nested repositories.
   * Leaves out ignored files and `.ralph/`.
   *
   * @throws GitError: not in a repository, or a nested one cannot be read; Error from the system
   */
  of(folder: string, signal: AbortSignal): Promise<string>;
  /** The repositories in the last one, submodules or not: their paths in it. */
  nested(): readonly string[];
  /** The files of the last one that were too large to read: it has their former content, if any. */
  large(): readonly string[];
  /** Runs git in the folder of the last one, with the objects of all of them. @throws GitError */
  ask(folder: string, args: readonly string[], signal: AbortSignal, input?: string): Promise<string>;
  /** The variables by which git finds the objects of these trees, and of the repositories read. */
  objects(): Readonly<Record<string, string>>;
}

interface Options {
  readonly limit?: number;
  readonly also?: string | undefined;
}

/**
 * Makes trees with git, which writes only in `scratch` and runs no program of a repository.
 *
 * @param limit changed files with more bytes are not read
 * @param also the scratch of others, which it can read too
 */
export function treesIn(scratch: string, { limit, also }: Options = {}): Trees {
  let large: string[] = [];
  let found: string[] = [];
  /** The settings with which the last one was read. */
  let settings: Record<string, string> | undefined;
  /** Of every repository read so far. */
  const stores = new Set(also === undefined ? [] : [objectsIn(also)]);

  const stored = () => ({
    GIT_OBJECT_DIRECTORY: objectsIn(scratch),
    // In quotes, since a path may contain a colon.
    GIT_ALTERNATE_OBJECT_DIRECTORIES: [...stores].map((path) => JSON.stringify(path)).join(":"),
  });

  /** @param under the path of the repository in the topmost one, with a slash */
  async function treeOf(
    top: string,
    signal: AbortSignal,
    { depth, under }: { readonly depth: number; readonly under: string },
  ): Promise<string> {
    if (depth > DEPTH_LIMIT) throw new GitError(`${top} is nested in more than ${DEPTH_LIMIT} repositories.`);
    makePrivateFolder(objectsIn(scratch));
    stores.add(await gitPath(top, "objects", { signal }));
    const index = join(scratch, `index.${hash("sha256", top).slice(0, 16)}`);
    const whole = `${index}.whole`;
    const quiet = await withoutPrograms(top, signal);
    if (depth === 0) settings = quiet;
    const environment = (file: string) => ({ ...quiet, GIT_INDEX_FILE: file, ...stored() });
    const inScratch = (args: readonly string[], { input = "", file = index } = {}) =>
      git(top, [...ALL_FILES, ...args], { environment: environment(file), input, signal });

    // An interrupted run may have left them.
    for (const path of [whole, `${whole}.lock`, `${index}.lock`]) rmSync(path, { force: true });
    if (!existsSync(index) && !copyIndex(also && join(also, basename(index)), index))
      await beginIndex(index, await gitPath(top, "index", { signal }), inScratch);
    const nested = await nestedIn(top, inScratch);
    found.push(...nested.map((path) => `${under}${path}`));
    const tooLarge = limit === undefined ? [] : await largerThan(limit, top, inScratch);
    large.push(...tooLarge.map((path) => `${under}${path}`));
    const without = [...nested, ...tooLarge].map((path) => `:(exclude,top,literal)${path}`);
    await inScratch([
      "add",
      "--all",
      "--ignore-errors",
      "--",
      ".",
      `:(exclude,top,glob)${OUR_FILES}`,
      ...without,
    ]);
    if (nested.length === 0) return (await inScratch(["write-tree"])).trim();

    const trees: string[] = [];
    for (const path of nested)
      trees.push(
        await treeOf(await topOf(join(top, path), signal), signal, {
          depth: depth + 1,
          under: `${under}${path}/`,
        }),
      );
    copyFileSync(index, whole);
    for (const [place, path] of nested.entries())
      await inScratch(["read-tree", `--prefix=${path}/`, trees[place] ?? ""], { file: whole });
    return (await inScratch(["write-tree"], { file: whole })).trim();
  }

  return {
    async of(folder, signal) {
      const top = (await git(folder, ["rev-parse", "--show-toplevel"], { signal })).trimEnd();
      large = [];
      found = [];
      return treeOf(top, signal, { depth: 0, under: "" });
    },
    nested: () => found,
    large: () => large,
    async ask(folder, args, signal, input) {
      const environment = { ...(settings ?? (await withoutPrograms(folder, signal))), ...stored() };
      return git(folder, args, { environment, signal, input });
    },
    objects: stored,
  };
}

function objectsIn(scratch: string): string {
  return join(scratch, "objects");
}

/** Begins an index of our own with what git knows of the folder's files. */
async function beginIndex(index: string, own: string, inScratch: InScratch): Promise<void> {
  if (!copyIndex(own, index)) return;
  try {
    await forgetFlags(inScratch);
    await forgetFiltered(inScratch);
    // Committed and uncommitted changes count alike: a commit changes no file.
    await inScratch(["rm", "-r", "-f", "--cached", "--quiet", "--ignore-unmatch", "--", OURS]);
  } catch (error) {
    rmSync(index, { force: true });
    throw error;
  }
}

/** An index knows times and sizes, so that only changed files are read. @returns false if there is none */
function copyIndex(from: string | undefined, to: string): boolean {
  // Its agent may have put something else there, at which we would wait.
  const known = from === undefined ? undefined : readRegular(from);
  if (from === undefined || known === undefined) return false;
  writeFileSync(to, known, { mode: 0o600 });
  // Git compares file times with the index's own time, and reads files changed in the same
  // second.
  const { atime, mtime } = lstatSync(from);
  utimesSync(to, atime, mtime);
  return true;
}

type InScratch = (args: readonly string[], options?: { readonly input?: string }) => Promise<string>;

/** The deepest nesting of repositories. */
const DEPTH_LIMIT = 5;

/** The settings with which a repository tells git to skip checking files. */
const ALL_FILES = [
  "core.sparseCheckout=false",
  "core.untrackedCache=false",
  "core.ignoreStat=false",
  "core.trustctime=true",
  "core.checkStat=default",
].flatMap((setting) => ["-c", setting]);

const OUR_FILES = "**/.ralph/**";
const OURS = `:(top,glob)${OUR_FILES}`;

/** Clears the marks that make git assume files unchanged or absent. */
async function forgetFlags(inScratch: InScratch): Promise<void> {
  const flagged = splitNul(await inScratch(["ls-files", "-v", "-z"]))
    .filter((line) => /^(S|[a-z]) /.test(line))
    .map((line) => `${line.slice(2)}\0`);
  if (flagged.length === 0) return;
  for (const flag of ["--no-assume-unchanged", "--no-skip-worktree"])
    await inScratch(["update-index", flag, "-z", "--stdin"], { input: flagged.join("") });
}

/** A filter can have given the index another content with the file's own time and size: such files are read again. */
async function forgetFiltered(inScratch: InScratch): Promise<void> {
  const input = await inScratch(["ls-files", "-z"]);
  const told = (await inScratch(["check-attr", "-z", "--stdin", "filter"], { input })).split("\0");
  const filtered = new Set(
    told.filter((_, place) => place % 3 === 0 && !NO_FILTER.has(told[place + 2] ?? "unset")),
  );
  if (filtered.size === 0) return;
  // Put in once more, an entry knows no time and size.
  const entries = splitNul(await inScratch(["ls-files", "-z", "--stage"]));
  const stale = entries.filter((entry) => filtered.has(entry.slice(entry.indexOf("\t") + 1)));
  await inScratch(["update-index", "-z", "--index-info"], {
    input: stale.map((entry) => `${entry}\0`).join(""),
  });
}

const NO_FILTER: ReadonlySet<string> = new Set(["unspecified", "unset", "set"]);

/** The new and changed files with more bytes than a limit. */
async function largerThan(limit: number, top: string, inScratch: InScratch): Promise<string[]> {
  const changed = await inScratch([
    "ls-files",
    "--others",
    "--modified",
    "--exclude-standard",
    "-z",
    "--",
    ".",
    `:(exclude,top,glob)${OUR_FILES}`,
  ]);
  const isLarge = (path: string) =>
    (lstatSync(join(top, path), { throwIfNoEntry: false })?.size ?? 0) > limit;
  return [...new Set(splitNul(changed))].filter(isLarge);
}

/**
 * The repositories nested in one, submodules or not. Git only records a commit for each, which is
 * removed from the index.
 */
async function nestedIn(top: string, inScratch: InScratch): Promise<string[]> {
  const links = splitNul(await inScratch(["ls-files", "--stage", "-z"]))
    .filter((line) => line.startsWith("160000 "))
    .map((line) => line.slice(line.indexOf("\t") + 1));
  if (links.length > 0) {
    const input = links.map((path) => `${path}\0`).join("");
    await inScratch(["update-index", "--force-remove", "-z", "--stdin"], { input });
  }
  const others = await inScratch([
    "ls-files",
    "--others",
    "--exclude-standard",
    "-z",
    "--",
    ".",
    `:(exclude,top,glob)${OUR_FILES}`,
  ]);
  const unknown = splitNul(others)
    .filter((path) => path.endsWith("/"))
    .map((path) => path.slice(0, -1));
  const there = links.filter((path) => existsSync(join(top, path, ".git")));
  return [...new Set([...there, ...unknown])].sort();
}

/** @throws GitError: it is not a separate repository */
async function topOf(folder: string, signal: AbortSignal): Promise<string> {
  const top = (await git(folder, ["rev-parse", "--show-toplevel"], { signal })).trimEnd();
  if (realpathSync(folder) === top) return top;
  throw new GitError(`${folder} is not a repository that git can read.`);
}
