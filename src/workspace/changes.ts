import { hash } from "node:crypto";
import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { git, splitNul, tryGit } from "./git.ts";

/** A file that differs from the last commit. */
export interface Change {
  /** Relative to the top of the worktree. */
  readonly path: string;
  /** Removed: from the index too, so that git no longer finds it. */
  readonly kind: "untracked" | "unmerged" | "removed" | "tracked";
  /** The filter in its attributes, which is not run. */
  readonly filter: string | undefined;
}

/**
 * The uncommitted files of a worktree, staged or not, except ignored ones and `.ralph/`. Filters
 * are not run; an LFS file counts as changed if its content's hash differs from its pointer.
 *
 * @param environment of `withoutPrograms`
 * @throws GitError
 */
export async function changesIn(top: string, environment: Record<string, string>): Promise<Change[]> {
  const listed = await git(
    top,
    [
      "status",
      "--porcelain=v1",
      "-z",
      "--untracked-files=all",
      "--no-renames",
      IN_SUBMODULES,
      "--",
      ".",
      NOT_OURS,
    ],
    { environment },
  );
  const found = listed.split("\0").flatMap((line) => {
    const [state, path] = [line.slice(0, 2), line.slice(3)];
    return path === "" ? [] : [{ state, path }];
  });
  if (found.length === 0) return [];
  const filters = await filtersOf(
    top,
    found.map(({ path }) => path),
  );
  const changes = found.map(
    ({ state, path }): Change => ({
      path,
      kind: KINDS.get(state) ?? "tracked",
      filter: filters.get(path),
    }),
  );
  const isReal = await Promise.all(changes.map((change) => isChanged(top, change)));
  return changes.filter((_, place) => isReal[place]);
}

/** Only their commits: git would run the filters that their own settings name. */
const IN_SUBMODULES = "--ignore-submodules=dirty";

/** The project's own folder, anywhere in the repository. */
const NOT_OURS = ":(exclude,top,glob)**/.ralph/**";

const KINDS: ReadonlyMap<string, Change["kind"]> = new Map([
  ["??", "untracked"],
  ["D ", "removed"],
  ...["DD", "AU", "UD", "UA", "DU", "AA", "UU"].map((state) => [state, "unmerged"] as const),
]);

/** Whether some file of a worktree has a filter in its attributes. @throws GitError */
export async function hasFiltered(top: string): Promise<boolean> {
  return (await filtersOf(top, splitNul(await git(top, ["ls-files", "-z"])))).size > 0;
}

async function filtersOf(top: string, paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const input = paths.map((path) => `${path}\0`).join("");
  const told = (await git(top, ["check-attr", "-z", "--stdin", "filter"], { input })).split("\0");
  const filters = new Map<string, string>();
  for (let place = 0; place + 2 < told.length; place += 3) {
    const [path = "", , value = ""] = told.slice(place, place + 3);
    if (!["unspecified", "unset", "set", ""].includes(value)) filters.set(path, value);
  }
  return filters;
}

/** LFS content in place of its pointer is not a change, although the bytes differ. */
async function isChanged(top: string, { path, kind, filter }: Change): Promise<boolean> {
  if (filter !== "lfs" || kind !== "tracked") return true;
  const pointer = await tryGit(top, ["cat-file", "blob", `HEAD:${path}`]);
  const [, digest] =
    /^version https:\/\/git-lfs\.github\.com\/spec\/v1\noid sha256:([0-9a-f]{64})\n/.exec(pointer ?? "") ??
    [];
  if (digest === undefined) return true;
  const file = join(top, path);
  const isFile = lstatSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
  return !isFile || hash("sha256", readFileSync(file)) !== digest;
}
