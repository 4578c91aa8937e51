import { shellWord } from "../lib/shell-word.ts";
import { someOf } from "../lib/some-of.ts";
import { GitError, git, tryGit } from "./git.ts";
import { withoutPrograms } from "./no-programs.ts";

/** Files of `.ralph/` that a branch brings, or had in its history, and that only signalbox writes. */
export interface BroughtFiles {
  /** The first ones, relative to the top of the repository, in the branch's own spelling. */
  readonly paths: readonly string[];
  /** The commit from which the branch must be made anew. */
  readonly from: string;
}

/** Of `.ralph/` these belong into git. */
const SHARED = ["config.json", ".gitignore"];

/**
 * What a branch would write into the project's own `.ralph/`, whose files signalbox trusts: everything there but `config.json` and
 * `.gitignore`, in its tree or in a commit since the base. A merge brings its history too.
 *
 * @param root the project's folder; a `.ralph/` elsewhere in the repository is a folder like any other
 * @param base a commit or a branch, and the branch's `tip`
 * @returns undefined: nothing
 * @throws GitError
 */
export async function filesBrought(
  root: string,
  { base, tip }: { readonly base: string; readonly tip: string },
): Promise<BroughtFiles | undefined> {
  const environment = await withoutPrograms(root);
  const ask = (args: readonly string[], input?: string) => git(root, args, { environment, input });
  const prefix = (await ask(["rev-parse", "--show-prefix"])).trimEnd();
  // Two branches may have nothing in common.
  const from = (await tryGit(root, ["merge-base", base, tip], { environment }))?.trim() ?? base;
  const commits = await ask(["rev-list", `^${base}`, tip, "--"]);
  const compare = ["diff-tree", "-r", "-z", "--root", "--no-renames", "--no-relative", "--name-only"];
  const lists = [
    await ask([...compare, from, tip]),
    await ask([...compare, "-c", "--no-commit-id", "--stdin"], commits),
  ];
  const changed = new Set(lists.flatMap((text) => text.split("\0")));
  const paths = [...changed].filter((path) => isOwn(path, prefix));
  for (const name of SHARED) {
    const path = `${prefix}.ralph/${name}`;
    const entry = await ask(["ls-tree", "--full-tree", tip, "--", path]);
    // A link would lead elsewhere, a folder has more in it.
    if (changed.has(path) && entry !== "" && !/^100(?:644|755) blob /.test(entry)) paths.push(path);
  }
  return paths.length > 0 ? { paths: paths.sort().slice(0, LIMIT), from } : undefined;
}

const LIMIT = 20;

/** The files of the project's `.ralph/` that git tracks though only signalbox writes them; none without git. */
export async function filesTracked(root: string): Promise<readonly string[]> {
  const prefix = (await tryGit(root, ["rev-parse", "--show-prefix"]))?.trimEnd();
  if (prefix === undefined) return [];
  const listed = (await tryGit(root, ["ls-files", "-z", "--full-name", "--", ":(icase).ralph"])) ?? "";
  return listed.split("\0").filter((path) => isOwn(path, prefix));
}

/** What `filesTracked` found, as a sentence without its end. */
export function trackedWords(paths: readonly string[]): string {
  return `git tracks ${someOf(paths, { most: 5 })}, which only signalbox writes: whoever brings a branch could replace it`;
}

/** The command that mends it, as a sentence. */
export function trackedMend(paths: readonly string[], root: string): string {
  const files = paths.map((path) => shellWord(`:/${path}`)).join(" ");
  return `Run \`git rm --cached -- ${files}\` in ${root}, and commit.`;
}

/**
 * Whether a path is in the project's `.ralph/`, or in the place of it, on any file system.
 *
 * @param prefix the project's folder in its repository, as `git rev-parse --show-prefix` gives it
 */
export function isOwn(path: string, prefix: string): boolean {
  if (path === "" || SHARED.some((name) => path === `${prefix}.ralph/${name}`)) return false;
  const own = folded(`${prefix}.ralph`);
  const given = folded(path);
  return given === own || given.startsWith(`${own}/`) || own.startsWith(`${given}/`);
}

/** As file systems fold names: git knows the same spellings of `.git` (its `is_hfs_dotgit` and `is_ntfs_dotgit`). */
function folded(path: string): string {
  return path
    .split("/")
    .map((name) =>
      name
        .replace(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, "")
        .normalize("NFKD")
        .toLowerCase()
        .replace(/:.*$/s, "")
        .replace(/[. ]+$/, "")
        .replace(/^ralph~\d+$/, ".ralph"),
    )
    .join("/");
}

/** What is wrong with a branch, and the commands that mend it. */
export function broughtWords({ paths, from }: BroughtFiles): string {
  const files = paths.map((path) => shellWord(`:/${path}`)).join(" ");
  return (
    `The branch changes ${paths.map((path) => JSON.stringify(path)).join(", ")}, which only signalbox writes, so it is not merged. ` +
    `Make its commits anew without: \`git reset --soft ${from} && git reset --quiet -- ${files} && git commit\`.`
  );
}

/**
 * Refuses what would write into `.ralph/`; a branch that does not exist would not.
 *
 * @param given a commit, or a branch as `refs/heads/NAME`
 * @param base a commit; absent: the last one of the project's checkout
 * @throws GitError
 */
export async function refuseBrought(root: string, given: string, base = "HEAD"): Promise<void> {
  const commitOf = async (name: string) =>
    (await tryGit(root, ["rev-parse", "--verify", "--quiet", `${name}^{commit}`]))?.trim();
  const [onto, tip] = [await commitOf(base), await commitOf(given)];
  const brought = onto && tip && (await filesBrought(root, { base: onto, tip }));
  if (brought) throw new GitError(broughtWords(brought));
}
