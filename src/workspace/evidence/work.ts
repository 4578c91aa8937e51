import { existsSync } from "node:fs";
import { join, posix } from "node:path";
import { named } from "../../events/types/work-words.ts";
import { takesPath } from "../../lib/globs-overlap.ts";
import type { ChangedFile } from "../diff.ts";
import { git } from "../git.ts";
import { secretByName } from "../secrets.ts";
import type { Look, Workspace } from "../workspace.ts";
import { type Ask, type Beginning, commitOf, commitsOf, commonOf } from "./beginning.ts";
import { checksChanged } from "./checks-changed.ts";
import type { Finding } from "./finding.ts";
import { hidden } from "./hidden.ts";
import { differing, type Ended, leftBehind } from "./left-behind.ts";
import { type Explain, outside } from "./outside.ts";
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
  /** The paths outside what the task says that it makes, in all of its work that is not merged yet; without a branch of its own, in the session's. */
  readonly outside: readonly string[];
  readonly findings: readonly Finding[];
}

/**
 * Compares a workspace with its session's beginning. Undefined if git cannot tell, for example since its files change meanwhile.
 *
 * @param explained what the log says of changes around it; absent: nobody looks there
 * @param seen its files, if they were looked at and have not changed since
 * @param committed true: its driver has committed what it could
 * @throws GitError
 */
export async function workSince(
  began: Beginning,
  workspace: Workspace,
  {
    explained,
    ...how
  }: {
    readonly explained?: Explain | undefined;
    readonly seen?: Look | undefined;
    readonly committed?: boolean;
  },
): Promise<Work | undefined> {
  const work = await found(began, workspace, how);
  if (!work || !began.around || !explained) return work;
  const around = await outside(began.around, explained).catch(() => []);
  return { ...work, findings: [...work.findings, ...around] };
}

async function found(
  began: Beginning,
  workspace: Workspace,
  { seen, committed = false }: { readonly seen?: Look | undefined; readonly committed?: boolean },
): Promise<Work | undefined> {
  const { folder, ask } = workspace;
  if (!existsSync(began.git_dir) || !existsSync(folder)) return gone(began, folder);
  const now = await git(folder, ["rev-parse", "--absolute-git-dir"]);
  if (now.trimEnd() !== began.git_dir) return gone(began, folder);
  const look = seen ?? (await workspace.look());
  if (!look) return undefined;
  const branches = [began.branch, began.base].map((branch) => `refs/heads/${branch ?? ""}`);
  const [head, own, base] = await commitsOf(ask, [began.head, ...branches]);
  // History may have been cut off: then nothing can be compared.
  if (head === undefined)
    return began.fork === null || (await commitOf(ask, began.fork)) === undefined
      ? gone(began, folder)
      : undefined;
  const tip = own ?? (await commitOf(ask, "HEAD"));
  if (tip === undefined) return undefined;
  const ended: Ended = { tree: look.tree, nested: look.nested, tip, base: base ?? null, ask };
  const changed = await workspace.changes(began.tree, look.tree);
  const work = await compare(began, ended, changed);
  const isCommitted = committed && own !== undefined && work.findings.length === 0;
  const findings = [
    ...(began.branch === null || own !== undefined ? [] : [renamed(began.branch)]),
    ...work.findings,
    ...(isCommitted ? await uncommitted(began, ended) : []),
    // Whatever is wrong with these files, the rest is told.
    ...(await checksChanged(began, ended, changed, workspace.changes).catch(() => [])),
  ];
  return { ...work, findings };
}

function renamed(branch: string): Finding {
  const says = `There is no branch ${branch} any more: run \`git branch ${branch}\` where the work is.`;
  return { kind: "left_behind", paths: [], refs: ["HEAD"], says };
}

/** Files of the session that its driver could not commit: because of a lock, a filter or a private key in it. */
async function uncommitted(began: Beginning, ended: Ended): Promise<Finding[]> {
  const open = await differing(ended, ended.tip, ended.tree);
  if (open.length === 0) return [];
  const own = new Set(await differing(ended, began.tree, ended.tree));
  // Git stores some in another form than their files have.
  const taken = new Set(await differing(ended, began.head, ended.tip));
  const isNested = (path: string) => ended.nested.some((folder) => path.startsWith(`${folder}/`));
  const paths = open.filter(
    (path) => own.has(path) && !taken.has(path) && !isNested(path) && secretByName(path) === undefined,
  );
  if (paths.length === 0) return [];
  const says = `${named(paths)} could not be committed for you: commit ${paths.length === 1 ? "it" : "them"}, or delete what is no work.`;
  return [{ kind: "left_behind", paths, refs: [], says }];
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
  // Commits may be empty, or take each other back.
  const isSame =
    tree === began.tree && (!isMoved || (await treeOf(ask, began.head)) === (await treeOf(ask, head)));
  if (findings.length === 0 && isSame) findings.push(NO_CHANGE);
  const isFresh = base === null || changed.length === 0 || base === began.fork;
  const own = isFresh ? undefined : new Set(await differing(ended, base, tree));
  const files = changed.filter(
    ({ path, from }) => !own || own.has(path) || (from !== undefined && own.has(from)),
  );
  // Whatever is wrong with these files, the rest is told.
  const stray = await notMade(began, ended, files).catch(() => []);
  return { head, tree, base, commits, files, outside: stray, findings };
}

/** The paths outside what the task says that it makes, from the top of the repository or from the project's folder. @throws GitError */
async function notMade(
  { checks, prefix, fork, head, begun = head }: Beginning,
  ended: Ended,
  files: readonly ChangedFile[],
): Promise<string[]> {
  const globs = checks?.makes.flatMap((glob) => [glob, posix.join(prefix, glob)]) ?? [];
  if (globs.length === 0) return [];
  const { ask, base, tip, tree } = ended;
  let paths = files.flatMap(({ path, from = path }) => (from === path ? [path] : [from, path]));
  if (base !== null && fork !== null) {
    // Commits are compared with commits: the files of a filter have another form in the folder.
    const brought = new Set(await differing(ended, (await commonOf(ask, tip, base)) ?? base, tip));
    const earlier = (await differing(ended, begun, tip)).filter((path) => brought.has(path));
    const open = new Set(await differing(ended, base, tree));
    paths = [...new Set([...paths, ...earlier])].filter((path) => open.has(path));
  }
  return paths.filter((path) => !globs.some((glob) => takesPath(glob, path))).sort();
}

/** With what git tracks in `.ralph/`, which a look leaves out. */
async function treeOf(ask: Ask, commit: string): Promise<string> {
  return await ask(["rev-parse", `${commit}^{tree}`]);
}

const NO_CHANGE: Finding = {
  ...{ kind: "no_change", paths: [], refs: [] },
  says: "No file differs from the session's start, and no commit changes one.",
};

function gone({ branch, prefix }: Beginning, folder: string): Work {
  const isMade = existsSync(join(folder, prefix.replace(/[^/]+/g, ".."), ".git"));
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
  return { head: null, tree: null, base: null, commits: 0, files: [], outside: [], findings };
}
