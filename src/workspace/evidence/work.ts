import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ChangedFile } from "../diff.ts";
import { git, isOfGit, tryGit } from "../git.ts";
import type { Look, Workspace } from "../workspace.ts";
import type { Beginning } from "./beginning.ts";
import type { Finding } from "./finding.ts";
import { hidden } from "./hidden.ts";
import { differing, type Ended, leftBehind } from "./left-behind.ts";
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
 * @param seen its files, if they were looked at and have not changed since
 */
export async function workSince(
  began: Beginning,
  workspace: Workspace,
  seen?: Look,
): Promise<Work | undefined> {
  const { folder } = workspace;
  if (!(await isSame(began, folder))) return gone(began, folder);
  const look = seen ?? (await workspace.look());
  if (!look) return undefined;
  try {
    const own = began.branch === null ? "HEAD" : `refs/heads/${began.branch}`;
    const names = began.base === null ? [own] : [own, `refs/heads/${began.base}`];
    const [tip = "", base = null] = (await git(folder, ["rev-parse", ...names])).trim().split("\n");
    const ended: Ended = { folder, tree: look.tree, nested: look.nested, tip, base, ask: workspace.ask };
    return await compare(began, ended, await workspace.changes(began.tree, look.tree));
  } catch (error) {
    if (isOfGit(error)) return undefined;
    throw error;
  }
}

async function compare(began: Beginning, ended: Ended, changed: readonly ChangedFile[]): Promise<Work> {
  const { folder, tip: head, tree, base } = ended;
  const isMoved = head !== began.head;
  const range = ["rev-list", "--count", head, "--not", began.head, ...(base === null ? [] : [base])];
  const commits = isMoved ? Number(await git(folder, range)) : 0;
  const behind = [
    ...(await leftBehind(began, ended)),
    ...(await hidden(
      began,
      ended,
      changed.map(({ path }) => path),
    )),
  ];
  const findings = [...behind, ...(await undoes(began, ended))];
  if (findings.length === 0 && tree === began.tree && !isMoved) findings.push(NO_CHANGE);
  const brought =
    base === null || changed.length === 0 || base === began.fork
      ? undefined
      : await differing(ended, base, tree);
  const own = brought && new Set(brought);
  const files = changed.filter(
    ({ path, from }) => !own || own.has(path) || (from !== undefined && own.has(from)),
  );
  return { head, tree, base, commits, files, findings };
}

const NO_CHANGE: Finding = {
  ...{ kind: "no_change", paths: [], refs: [] },
  says: "No file differs from the session's start, and there is no new commit.",
};

/** Whether the folder is the worktree of the repository that it was. */
async function isSame({ git_dir, head }: Beginning, folder: string): Promise<boolean> {
  const environment = { GIT_NO_LAZY_FETCH: "1", GIT_NO_REPLACE_OBJECTS: "1" };
  const args = ["rev-parse", "--absolute-git-dir", "--verify", `${head}^{commit}`];
  return (await tryGit(folder, args, { environment }))?.split("\n")[0] === git_dir;
}

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
