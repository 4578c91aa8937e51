import { existsSync } from "node:fs";
import { join } from "node:path";
import { named } from "../../events/types/work-words.ts";
import { counted } from "../../lib/readable.ts";
import { shellWord } from "../../lib/shell-word.ts";
import { splitNul } from "../git.ts";
import { unmergedIn } from "../merge-into.ts";
import { type Ask, type Beginning, commitOf, movesOf, stashesOf, tryAsk, UNFINISHED } from "./beginning.ts";
import type { Finding } from "./finding.ts";

/** A workspace at the end of its session. */
export interface Ended {
  /** The tree of all its files. */
  readonly tree: string;
  /** The repositories in it, submodules or not. */
  readonly nested: readonly string[];
  /** The commit in which the session's work has to be: the last one of the task's branch, or of the checkout. */
  readonly tip: string;
  /** The last commit of the base; null without a worktree of the task's own. */
  readonly base: string | null;
  readonly ask: Ask;
}

/** Work of the session that is in the repository, but not on its branch. @throws GitError */
export async function leftBehind(began: Beginning, ended: Ended): Promise<Finding[]> {
  const away = await stays(began, ended);
  return [
    ...(await unfinished(began, ended)),
    ...(await stashed(began, ended)),
    ...(await elsewhere(began, ended, away)),
    ...(await nested(began, ended)),
  ];
}

async function unfinished(began: Beginning, { ask }: Ended): Promise<Finding[]> {
  // What a human began in the checkout is no work of this session.
  const before = new Set(began.branch === null ? began.unfinished : []);
  const found = UNFINISHED.find(([mark]) => !before.has(mark) && existsSync(join(began.git_dir, mark)));
  if (!found) return [];
  const [, what, command] = found;
  const paths = await unmergedIn(ask);
  const where = paths.length > 0 ? ` has conflicts in ${named(paths)}` : " is not finished";
  const says = `A ${what}${where}: resolve what is open, \`git add\` it, and \`${command}\`.`;
  return [{ kind: "left_behind", paths, refs: ["HEAD"], says }];
}

/** While HEAD was elsewhere than on the session's branch, something was committed there. */
interface Stay {
  /** The branch; null where none was checked out, or it is no more. */
  readonly name: string | null;
  /** Before the first commit that was made there, and the last one. */
  readonly from: string;
  readonly tip: string;
}

const MOVED = /\tcheckout: moving from (\S+) to (\S+)$/;
const MADE = /\t(?:commit|cherry-pick|merge|revert|am)\b/;

async function stays({ branch, moves, git_dir }: Beginning, { ask, tip }: Ended): Promise<Stay[]> {
  const found: Stay[] = [];
  let at = branch;
  let made: Pick<Stay, "from" | "tip"> | undefined;
  const leave = () => {
    if (made && at !== branch) found.push({ name: at, ...made });
    made = undefined;
  };
  for (const entry of movesOf(git_dir).slice(moves)) {
    const [, left, to] = MOVED.exec(entry) ?? [];
    const [from = "", now = ""] = entry.split(" ");
    if (to !== undefined) {
      at ??= left ?? null;
      leave();
      at = to;
    } else if (MADE.test(entry)) made = { from: made?.from ?? from, tip: now };
  }
  leave();
  const open: Stay[] = [];
  for (const stay of found.slice(-MOST)) {
    if (await isIn(ask, stay.tip, tip)) continue;
    const last = await commitOf(ask, `refs/heads/${stay.name}`);
    const isThere = last !== undefined && (await isIn(ask, stay.tip, last));
    open.push(isThere ? { ...stay, tip: last } : { ...stay, name: null });
  }
  return open;
}

/** How many stashes, and how many detours, are looked at. */
const MOST = 20;

async function isIn(ask: Ask, commit: string, history: string): Promise<boolean> {
  return (await tryAsk(ask, ["merge-base", "--is-ancestor", commit, history])) !== undefined;
}

async function stashed(began: Beginning, ended: Ended): Promise<Finding[]> {
  const known = new Set(began.stashes);
  const own = (await stashesOf(ended.ask)).filter(
    ({ commit, says }) => !known.has(commit) && isOfSession(says, began),
  );
  const findings: Finding[] = [];
  let present: Set<string> | undefined;
  for (const { commit } of own.slice(0, MOST)) {
    // What git did not track has a commit of its own.
    const untracked = await commitOf(ended.ask, `${commit}^3`);
    if (untracked !== undefined) present ??= await filesIn(ended.ask, ended.tree);
    const files = untracked === undefined ? [] : [...(await filesIn(ended.ask, untracked))];
    const paths = [
      ...(await missing(ended, `${commit}^1`, commit)),
      ...files.filter((path) => !present?.has(path)),
    ];
    if (paths.length === 0) continue;
    const id = commit.slice(0, 12);
    findings.push({
      ...{ kind: "left_behind", paths, refs: [id] },
      says: `${named(paths)} ${paths.length === 1 ? "is" : "are"} in a stash: run \`git stash apply ${id}\` and commit.`,
    });
  }
  return findings;
}

/** All worktrees share the stashes: git notes on which branch each was made, and where HEAD of this one has been. */
function isOfSession(says: string, { branch, git_dir, moves }: Beginning): boolean {
  const [, on] = /^(?:WIP on|On) (.+?): /.exec(says) ?? [];
  if (branch === null || on === branch) return true;
  const been = movesOf(git_dir)
    .slice(moves)
    .flatMap((entry) => MOVED.exec(entry)?.[2] ?? []);
  return been.some((place) => place === on || (on === "(no branch)" && COMMIT.test(place)));
}

/** What a branch is not called: a commit's id, or a name in relation to another. */
const COMMIT = /^[0-9a-f]{7,64}$|^HEAD|[~^@]/;

async function elsewhere({ branch }: Beginning, ended: Ended, away: readonly Stay[]): Promise<Finding[]> {
  const findings = new Map<string, Finding>();
  for (const { name, from, tip } of away) {
    const others = ["--not", from, ...(ended.base === null ? [] : [ended.base])];
    const side = ["rev-list", "--count", "--cherry-pick", "--right-only", "--no-merges"];
    const commits = Number(await tryAsk(ended.ask, [...side, `${ended.tip}...${tip}`, ...others]));
    if (!(commits > 0)) continue;
    // Also taken over by another commit, such as a squash.
    const paths = await missing(ended, from, tip);
    if (paths.length === 0) continue;
    const id = tip.slice(0, 12);
    const where = name === null ? `in ${id}, on no branch` : `on the branch ${name}`;
    const back = branch === null ? "" : `git switch ${branch} && `;
    findings.set(id, {
      ...{ kind: "left_behind", paths, refs: [name ?? id] },
      says: `${counted(commits, "commit")} ${commits === 1 ? "is" : "are"} ${where}: ${branch ?? "the checkout"} lacks ${named(paths)}. Run \`${back}git merge ${id}\`.`,
    });
  }
  return [...findings.values()];
}

/**
 * What was changed between two commits of a side branch, and is on the session's branch as it was before. What the branch has in
 * another way has been worked on since.
 */
async function missing(ended: Ended, before: string, after: string): Promise<string[]> {
  const changed = await differing(ended, before, after);
  const since = [
    ...(await differing(ended, before, ended.tip)),
    ...(await differing(ended, before, ended.tree)),
  ];
  const worked = new Set(since);
  return changed.filter((path) => !worked.has(path));
}

/** Repositories in the worktree that were not there: git sees their commits, but not their files. */
async function nested(began: Beginning, { ask, tip, nested: now }: Ended): Promise<Finding[]> {
  // What lies in a human's checkout is not all of this session.
  const made = began.branch === null ? [] : now.filter((path) => !began.nested.includes(path));
  if (made.length === 0) return [];
  const args = ["config", "--null", "--blob", `${tip}:.gitmodules`, "--get-regexp", "path$"];
  const modules = splitNul((await tryAsk(ask, args)) ?? "").map((entry) =>
    entry.slice(entry.indexOf("\n") + 1),
  );
  const paths = made.filter((path) => !modules.some((known) => `${path}/`.startsWith(`${known}/`)));
  return paths.map((path) => ({
    ...{ kind: "left_behind", paths: [path], refs: [] },
    says: `${path} is a repository of its own, so your branch lacks its files: remove its .git folder, run \`git rm -r --cached --ignore-unmatch ${shellWord(path)}\`, and commit them.`,
  }));
}

/** @param paths pathspecs; absent: everywhere in the repository */
export async function differing(
  { ask }: Pick<Ended, "ask">,
  one: string,
  other: string,
  paths: readonly string[] = [":(top)"],
): Promise<string[]> {
  const how = ["diff-tree", "-r", "-z", "--no-renames", "--no-relative", "--name-only"];
  return splitNul(await ask([...how, one, other, "--", ...paths, ":(exclude,top,glob)**/.ralph/**"]));
}

/** All files of a tree, or of a commit. */
export async function filesIn(ask: Ask, tree: string): Promise<Set<string>> {
  return new Set(splitNul(await ask(["ls-tree", "-r", "-z", "--full-tree", "--name-only", tree])));
}
