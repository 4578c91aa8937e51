import { existsSync } from "node:fs";
import { join } from "node:path";
import { counted } from "../../lib/readable.ts";
import { contains, tipOf } from "../branches.ts";
import { tryGit } from "../git.ts";
import type { Workspace } from "../workspace.ts";
import { type Beginning, movesOf, stashesOf } from "./beginning.ts";
import { type Finding, named } from "./finding.ts";

/** A workspace at the end of its session. */
export interface Ended {
  readonly folder: string;
  /** The tree of all its files. */
  readonly tree: string;
  /** The repositories in it, submodules or not. */
  readonly nested: readonly string[];
  /** The commit in which the session's work has to be: the last one of the task's branch, or of the checkout. */
  readonly tip: string;
  /** The last commit of the base; null without a worktree of the task's own. */
  readonly base: string | null;
  /** Runs git where both trees are known. @throws GitError */
  readonly ask: Workspace["ask"];
}

/** Work of the session that is in the repository, but not on its branch. @throws GitError */
export async function leftBehind(began: Beginning, ended: Ended): Promise<Finding[]> {
  const away = await stays(began, ended);
  return [
    ...(await unfinished(began, ended)),
    ...(await stashed(began, ended, away)),
    ...(await elsewhere(began, ended, away)),
    ...(await nested(began, ended)),
  ];
}

async function unfinished({ git_dir }: Beginning, { folder }: Ended): Promise<Finding[]> {
  for (const [mark, what, command] of UNFINISHED) {
    if (!existsSync(join(git_dir, mark))) continue;
    const listed = await tryGit(folder, ["diff", "--name-only", "--diff-filter=U", "--no-relative", "-z"]);
    const paths = splitNul(listed ?? "");
    const where = paths.length > 0 ? ` has conflicts in ${named(paths)}` : " is not finished";
    const says = `A ${what}${where}: resolve what is open, \`git add\` it, and \`${command}\`.`;
    return [{ kind: "left_behind", paths, refs: ["HEAD"], says }];
  }
  return [];
}

/** What git leaves in its folder until it has finished. */
const UNFINISHED = [
  ["rebase-merge", "rebase", "git rebase --continue"],
  ["rebase-apply", "rebase", "git rebase --continue"],
  ["MERGE_HEAD", "merge", "git commit --no-edit"],
  ["CHERRY_PICK_HEAD", "cherry-pick", "git cherry-pick --continue"],
  ["REVERT_HEAD", "revert", "git revert --continue"],
] as const;

/** While HEAD was elsewhere than on the session's branch, something was committed there. */
interface Stay {
  /** The branch, or `HEAD` where none was checked out. */
  readonly name: string;
  /** Its last commit then. */
  readonly tip: string;
}

const MOVED = /\tcheckout: moving from (\S+) to (\S+)$/;
const MADE = /\t(?:commit|cherry-pick|merge|revert|am)\b/;

async function stays({ branch, moves, git_dir }: Beginning, { folder, tip }: Ended): Promise<Stay[]> {
  const found: Stay[] = [];
  let at = branch;
  let made: string | undefined;
  const leave = () => {
    if (made !== undefined && at !== branch) found.push({ name: at ?? "HEAD", tip: made });
    made = undefined;
  };
  for (const entry of movesOf(git_dir).slice(moves)) {
    const [, from, to] = MOVED.exec(entry) ?? [];
    if (to !== undefined) {
      at ??= from ?? null;
      leave();
      at = HEX.test(to) ? "HEAD" : to;
    } else if (MADE.test(entry)) made = entry.split(" ")[1];
  }
  leave();
  // A branch that has gone on since is judged by what it has now.
  const now = async (stay: Stay) => {
    const last = stay.name === "HEAD" ? undefined : await tipOf(folder, stay.name);
    return last !== undefined && (await contains(folder, last, stay.tip)) ? { ...stay, tip: last } : stay;
  };
  const open: Stay[] = [];
  for (const stay of found) if (!(await contains(folder, tip, stay.tip))) open.push(await now(stay));
  return open;
}

const HEX = /^[0-9a-f]{7,64}$/;

async function stashed(began: Beginning, ended: Ended, away: readonly Stay[]): Promise<Finding[]> {
  const known = new Set(began.stashes);
  const findings: Finding[] = [];
  for (const [place, { commit, says }] of (await stashesOf(ended.folder)).entries()) {
    if (known.has(commit) || !isOfSession(says, began, away)) continue;
    const untracked = splitNul(
      (await tryGit(ended.folder, ["ls-tree", "-r", "-z", "--name-only", `${commit}^3`])) ?? "",
    );
    const changed = await differing(ended, `${commit}^1`, commit);
    const missing = new Set(await differing(ended, commit, ended.tree));
    const there = new Set(splitNul(await ended.ask(["ls-tree", "-r", "-z", "--name-only", ended.tree])));
    const paths = [
      ...changed.filter((path) => missing.has(path)),
      ...untracked.filter((path) => !there.has(path)),
    ];
    if (paths.length === 0) continue;
    const ref = `stash@{${place}}`;
    const mend = `Run \`git stash pop ${ref}\`, or \`git stash drop ${ref}\` if it is not wanted.`;
    findings.push({
      ...{ kind: "left_behind", paths, refs: [ref] },
      says: `${named(paths)} ${paths.length === 1 ? "is" : "are"} in a stash. ${mend}`,
    });
  }
  return findings;
}

/** All worktrees share the stashes: git notes on which branch each was made. */
function isOfSession(says: string, { branch }: Beginning, away: readonly Stay[]): boolean {
  const [, on] = /^(?:WIP on|On) (.+?): /.exec(says) ?? [];
  if (branch === null || on === branch) return true;
  return away.some(({ name }) => name === on || (name === "HEAD" && on === "(no branch)"));
}

async function elsewhere({ branch }: Beginning, ended: Ended, away: readonly Stay[]): Promise<Finding[]> {
  const findings = new Map<string, Finding>();
  for (const { name, tip } of away) {
    const others = ended.base === null ? [] : ["--not", ended.base];
    const side = ["rev-list", "--count", "--cherry-pick", "--right-only", "--no-merges"];
    const commits = Number(await tryGit(ended.folder, [...side, `${ended.tip}...${tip}`, ...others]));
    const fork = (await tryGit(ended.folder, ["merge-base", ended.tip, tip]))?.trim();
    if (!(commits > 0) || fork === undefined) continue;
    // Also taken over by another commit, such as a squash.
    const missing = new Set(await differing(ended, tip, ended.tree));
    const paths = (await differing(ended, fork, tip)).filter((path) => missing.has(path));
    if (paths.length === 0) continue;
    const isBranch = name !== "HEAD";
    const ref = isBranch ? name : tip.slice(0, 12);
    const where = isBranch ? `on the branch ${name}` : `in ${ref}, on no branch`;
    const own = branch ?? "your branch";
    findings.set(ref, {
      ...{ kind: "left_behind", paths, refs: [ref] },
      says: `${counted(commits, "commit")} ${commits === 1 ? "is" : "are"} ${where}: ${own} lacks ${named(paths)}. Run \`git switch ${branch ?? "YOUR-BRANCH"} && git merge ${ref}\`.`,
    });
  }
  return [...findings.values()];
}

/** Repositories in the worktree that were not there: git sees their commits, but not their files. */
async function nested(began: Beginning, { folder, tip, nested: now }: Ended): Promise<Finding[]> {
  // What lies in a human's checkout is not all of this session.
  const made = began.branch === null ? [] : now.filter((path) => !began.nested.includes(path));
  if (made.length === 0) return [];
  const args = ["config", "--blob", `${tip}:.gitmodules`, "--get-regexp", "path"];
  const modules = ((await tryGit(folder, args)) ?? "").split("\n");
  const known = new Set(modules.map((line) => line.slice(line.indexOf(" ") + 1)));
  const paths = made.filter((path) => !known.has(path));
  return paths.map((path) => ({
    ...{ kind: "left_behind", paths: [path], refs: [] },
    says: `${path} is a repository of its own, so your branch lacks its files: remove its .git folder, and commit them.`,
  }));
}

export async function differing({ ask }: Pick<Ended, "ask">, one: string, other: string): Promise<string[]> {
  const how = ["diff-tree", "-r", "-z", "--no-renames", "--no-relative", "--name-only"];
  return splitNul(await ask([...how, one, other, "--", ".", ":(exclude,top,glob)**/.ralph/**"]));
}

export function splitNul(text: string): string[] {
  return text.split("\0").filter((part) => part !== "");
}
