import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ChangedFile } from "../diff.ts";
import { git } from "../git.ts";
import type { Look, Workspace } from "../workspace.ts";
import { type Beginning, commitOf } from "./beginning.ts";
import { changedFrom, checksChanged } from "./checks-changed.ts";
import type { Finding } from "./finding.ts";
import { hidden } from "./hidden.ts";
import { differing, type Ended, leftBehind } from "./left-behind.ts";
import { type Explained, outside } from "./outside.ts";
import { undoes } from "./undoes.ts";

/** What a session did to its repository. */
export interface Work {
  /** The last commit with the work: of the task's branch, or of the checkout; null where the workspace is gone. */
  readonly head: string | null;
  /** The tree of all files; null where the workspace is gone. */
  readonly tree: string | null;
  /** Of the base. */
  readonly base: string | null;
  /** How many commits the session added, without those that came from the base. */
  readonly commits: number;
  /** Without what came from the base. */
  readonly files: readonly ChangedFile[];
  readonly findings: readonly Finding[];
}

/**
 * Compares a workspace with its session's beginning. Undefined if git cannot tell, for example since its files change meanwhile.
 *
 * @param explained what the log says of changes around it; absent: nobody looks there
 * @param seen its files, if they were looked at and have not changed since
 * @throws GitError
 */
export async function workSince(
  began: Beginning,
  workspace: Workspace,
  { explained, seen }: { readonly explained?: Explained | undefined; readonly seen?: Look | undefined },
): Promise<Work | undefined> {
  const work = await found(began, workspace, seen);
  if (!work || !began.around || !explained) return work;
  return { ...work, findings: [...work.findings, ...(await outside(began.around, explained))] };
}

async function found(
  began: Beginning,
  workspace: Workspace,
  seen: Look | undefined,
): Promise<Work | undefined> {
  const { folder, ask } = workspace;
  const isLeft = existsSync(began.git_dir) && (began.branch === null || existsSync(join(folder, ".git")));
  if (!isLeft) return gone(began, folder);
  const now = await git(folder, ["rev-parse", "--absolute-git-dir"]);
  if (now.trimEnd() !== began.git_dir) return gone(began, folder);
  const look = seen ?? (await workspace.look());
  if (!look) return undefined;
  // History may have been cut off: then nothing can be compared.
  if ((await commitOf(ask, began.head)) === undefined)
    return began.fork === null || (await commitOf(ask, began.fork)) === undefined
      ? gone(began, folder)
      : undefined;
  const own = began.branch === null ? undefined : await commitOf(ask, `refs/heads/${began.branch}`);
  const tip = own ?? (await commitOf(ask, "HEAD"));
  if (tip === undefined) return undefined;
  const base = began.base === null ? null : ((await commitOf(ask, `refs/heads/${began.base}`)) ?? null);
  const ended: Ended = { tree: look.tree, nested: look.nested, tip, base, ask };
  const changed = await workspace.changes(began.tree, look.tree);
  const work = await compare(began, ended, changed);
  const from = changedFrom(began);
  const all = from === began.tree ? changed : await workspace.changes(from, look.tree);
  const findings = [
    ...(began.branch === null || own !== undefined ? [] : [renamed(began.branch)]),
    ...work.findings,
    ...(await checksChanged(began, ended, all)),
  ];
  return { ...work, findings };
}

function renamed(branch: string): Finding {
  const says = `There is no branch ${branch} any more: run \`git branch ${branch}\` where the work is.`;
  return { kind: "left_behind", paths: [], refs: ["HEAD"], says };
}

async function compare(began: Beginning, ended: Ended, changed: readonly ChangedFile[]): Promise<Work> {
  const { ask, tip: head, tree, base } = ended;
  const isMoved = head !== began.head;
  const range = ["rev-list", "--count", head, "--not", began.head, ...(base === null ? [] : [base])];
  const commits = isMoved ? Number(await ask(range)) : 0;
  const findings = [
    ...(await leftBehind(began, ended)),
    ...(await hidden(
      began,
      ended,
      changed.map(({ path }) => path),
    )),
    ...(await undoes(began, ended)),
  ];
  if (findings.length === 0 && tree === began.tree && !isMoved) findings.push(NO_CHANGE);
  const isFresh = base === null || changed.length === 0 || base === began.fork;
  const own = isFresh ? undefined : new Set(await differing(ended, base, tree));
  const files = changed.filter(
    ({ path, from }) => !own || own.has(path) || (from !== undefined && own.has(from)),
  );
  return { head, tree, base, commits, files, findings };
}

const NO_CHANGE: Finding = {
  ...{ kind: "no_change", paths: [], refs: [] },
  says: "No file differs from the session's start, and there is no new commit.",
};

function gone({ branch }: Beginning, folder: string): Work {
  const isMade = existsSync(join(folder, ".git"));
  const what = branch === null ? "The folder" : `The worktree of ${branch}`;
  const findings: Finding[] = isMade
    ? [
        {
          ...{ kind: "gone", paths: [".git"], refs: [] },
          says: `${what} is another repository than at the session's start.`,
        },
        {
          ...{ kind: "left_behind", paths: [".git"], refs: [] },
          says: `The work is in a repository that was made in its place: fetch its commits from the former one.`,
        },
      ]
    : [{ kind: "gone", paths: [], refs: [], says: `${what} no longer exists.` }];
  return { head: null, tree: null, base: null, commits: 0, files: [], findings };
}
