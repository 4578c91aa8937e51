import { hash } from "node:crypto";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { z } from "zod";
import { named } from "../../events/types/work-words.ts";
import { branchOf, branchTips, contains, tipsOfTasks } from "../branches.ts";
import { git } from "../git.ts";
import { readRegular } from "../regular-file.ts";
import { worktreeFolder } from "../worktree.ts";
import type { Finding } from "./finding.ts";

const tips = z.record(z.string(), z.string());

/** A repository around a task's worktree. */
export const around = z.object({
  /** The project's folder. */
  root: z.string(),
  task: z.int(),
  /** What its checkout has checked out, as HEAD says it. */
  checkout: z.string(),
  base: z.string().nullable(),
  tip: z.string().nullable(),
  /** The last commits of other tasks' branches. */
  branches: tips,
  /** Of those, the ones that have a worktree. */
  worktrees: z.array(z.string()),
  /** Fingerprints of git's settings and hooks, and of what people set in `.ralph/`, by their names. */
  settings: tips,
});
type Around = z.infer<typeof around>;

/** What the log says of changes around a session, since it began. */
interface Explained {
  /** All merges that landed, the oldest first; those before count for what is removed later. */
  readonly landings: readonly {
    readonly task: number;
    readonly base: string;
    readonly commit: string;
    readonly from: string;
    readonly to: string;
  }[];
  /** Tasks that had a session or a merge since. */
  readonly worked: readonly number[];
}
export type Explain = () => Promise<Explained>;

/** @throws GitError */
export async function aroundOf(
  root: string,
  { task, base }: { readonly task: number; readonly base: string | null },
): Promise<Around> {
  const commits = await branchTips(root, base === null ? [] : [base]);
  const others = [...tipsOfTasks(commits)].filter(([other]) => other !== task);
  const told = await git(root, ["rev-parse", "--path-format=absolute", "--git-dir", "--git-common-dir"]);
  const [own = "", common = ""] = told.trimEnd().split("\n");
  return {
    ...{ root, task, base, checkout: readRegular(join(own, "HEAD"))?.toString().trim() ?? "" },
    tip: commits.get(base ?? "") ?? null,
    branches: Object.fromEntries(others),
    worktrees: others.flatMap(([other]) => (existsSync(worktreeFolder(root, other)) ? [String(other)] : [])),
    settings: {
      ...(await settingsOf(root)),
      ...filesIn(join(common, "hooks"), ".git/hooks", (name) => !name.endsWith(".sample")),
      ...filesIn(join(root, ".ralph"), ".ralph", (name) => name === "config.json" || name === ".gitignore"),
    },
  };
}

/** What changed around a session that the log does not explain (docs/rules.md, Evidence). @throws GitError */
export async function outside(before: Around, explain: Explain): Promise<Finding[]> {
  const look = async () => unexplained(before, await aroundOf(before.root, before), await explain());
  let found = await look();
  if (found.length > 0) {
    // A merge moves the base before the log has it.
    await setTimeout(SETTLED_MS);
    found = await look();
  }
  if (found.length === 0) return [];
  const says = `While this session ran, ${named(found.map(([, what = ""]) => what))}, which the log does not explain. Who did it is not known: put back what was not meant.`;
  return [{ kind: "outside", paths: [], refs: found.map(([ref = ""]) => ref), says }];
}

const SETTLED_MS = 500;

async function unexplained(before: Around, now: Around, explained: Explained): Promise<string[][]> {
  const [was, is] = [shortRef(before.checkout), shortRef(now.checkout)];
  return [
    ...(was === is ? [] : [[was, `the checkout left ${was} for ${is}`]]),
    ...baseMoved(before, now, explained),
    ...(await branchesChanged(before, now, explained)),
    ...Object.keys({ ...before.settings, ...now.settings })
      .filter((name) => before.settings[name] !== now.settings[name])
      .map((name) => [name, `${name} was changed`]),
  ];
}

function baseMoved({ base, tip }: Around, { tip: now }: Around, { landings }: Explained): string[][] {
  if (base === null || tip === null || tip === now) return [];
  let reached = tip;
  for (const { base: onto, from, to } of landings) if (onto === base && from === reached) reached = to;
  if (reached === now) return [];
  return [
    [
      base,
      now === null ? `${base} was deleted` : `${base} moved to ${now.slice(0, 12)} without a merge of ours`,
    ],
  ];
}

async function branchesChanged(
  before: Around,
  now: Around,
  { landings, worked }: Explained,
): Promise<string[][]> {
  const found: string[][] = [];
  for (const [name, tip] of Object.entries(before.branches)) {
    const [branch, at, hadWork] = [branchOf(Number(name)), now.branches[name], worked.includes(Number(name))];
    // Merged as it was, or rebased since.
    const isMerged = landings.some(
      ({ task, commit, to }) => commit === tip || to === tip || (hadWork && task === Number(name)),
    );
    if (isMerged) continue;
    if (at === undefined) {
      const isIn = now.tip !== null && (await contains(before.root, now.tip, tip));
      if (!isIn) found.push([branch, `${branch} was deleted`]);
    } else if (at !== tip) {
      if (!hadWork) found.push([branch, `${branch} moved to ${at.slice(0, 12)}`]);
    } else if (before.worktrees.includes(name) && !now.worktrees.includes(name))
      found.push([branch, `the worktree of ${branch} was removed`]);
  }
  return found;
}

/** `ref: refs/heads/main` is `main`; a commit is its first letters. */
function shortRef(head: string): string {
  return /^ref: refs\/heads\/(.+)$/.exec(head)?.[1] ?? head.slice(0, 12);
}

/** Those that git writes by itself, for worktrees, submodules and the like, are left out. */
const BY_GIT = /^(?:branch|submodule|extensions|lfs|gc|maintenance)\./;

async function settingsOf(root: string): Promise<Record<string, string>> {
  const listed = (await git(root, ["config", "--null", "--local", "--list"])).split("\0");
  const values = new Map<string, string>();
  for (const entry of listed) {
    const [name = ""] = entry.split("\n", 1);
    if (name !== "" && !BY_GIT.test(name)) values.set(name, `${values.get(name) ?? ""}\0${entry}`);
  }
  return Object.fromEntries([...values].map(([name, value]) => [name, hash("sha256", value)]));
}

function filesIn(folder: string, shown: string, isOne: (name: string) => boolean): Record<string, string> {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return {};
  const names = readdirSync(folder).filter(isOne).slice(0, 100);
  return Object.fromEntries(
    names.map((name) => [`${shown}/${name}`, hash("sha256", readRegular(join(folder, name)) ?? "none")]),
  );
}
