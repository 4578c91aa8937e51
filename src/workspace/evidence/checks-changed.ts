import { overlap } from "../../lib/globs-overlap.ts";
import { shellWord } from "../../lib/shell-word.ts";
import type { ChangedFile } from "../diff.ts";
import type { Workspace } from "../workspace.ts";
import { type Ask, type Beginning, commonOf, tryAsk } from "./beginning.ts";
import type { Finding } from "./finding.ts";
import { scriptIn, type TextOf, watchedBy } from "./gate-files.ts";
import { differing, type Ended } from "./left-behind.ts";
import { isTest, weakerTests } from "./weaker-tests.ts";

/**
 * Files that decide whether the gates pass, and that the task's work changed or deleted: protected ones, those that a gate's command
 * line names, the scripts that it runs, and tests that check less (docs/rules.md, Evidence). New files are none of them.
 *
 * Of a task with a worktree of its own all that is not merged counts, also of earlier sessions: a weak test does not become right by a
 * second session.
 *
 * @param session what differs since the session's start
 * @param changes as `Workspace.changes`
 * @throws GitError
 */
export async function checksChanged(
  began: Beginning,
  ended: Ended,
  session: readonly ChangedFile[],
  changes: Workspace["changes"],
): Promise<Finding[]> {
  const { checks, branch } = began;
  if (!checks) return [];
  const { ask, tree, tip, base } = ended;
  const common = branch === null || base === null ? undefined : await commonOf(ask, tip, base);
  const from = common ?? began.tree;
  const work =
    from === began.tree
      ? session
      : await workIn(ended, { from, changed: await changes(from, tree), session });
  const kinds = new Map(
    work.flatMap(({ path, from: former = path, kind }) => (kind === "added" ? [] : [[former, kind]])),
  );
  if (kinds.size === 0) return [];
  const says = new Map<string, string>();
  const tell = (path: string, what: string) => says.has(path) || says.set(path, `${path}${what}`);
  for (const path of await protectedIn(ask, checks.protect, from, tree)) {
    const kind = kinds.get(path);
    if (kind !== undefined) tell(path, `, which gates.protect names, was ${kind}`);
  }
  const isMade = (path: string) => checks.makes.some((glob) => overlap(glob, path));
  const [before, after] = [textsIn(ask, from), textsIn(ask, tree)];
  for (const command of checks.commands)
    for (const { path, script } of await watchedBy(command, checks.folder, before)) {
      const kind = kinds.get(path);
      if (kind === undefined || isMade(path)) continue;
      if (script === undefined) tell(path, `, which a gate names, was ${kind}`);
      else {
        const said = [before, after].map(async (of) =>
          String(scriptIn(path, script, (await of(path)) ?? "")),
        );
        const [was, is] = await Promise.all(said);
        if (was !== is) tell(path, `: ${script || "the first target"}, which a gate runs, was changed`);
      }
    }
  for (const { path, says: what } of weakerTests(work, await patchOf(ask, from, tree, work)))
    says.has(path) || says.set(path, what);
  return says.size === 0 ? [] : [findingOf(says, common)];
}

/** Reads the files of a commit or a tree, each once. */
function textsIn(ask: Ask, tip: string): TextOf {
  const known = new Map<string, ReturnType<TextOf>>();
  return (path) => {
    const text = known.get(path) ?? tryAsk(ask, ["cat-file", "blob", `${tip}:${path}`]);
    known.set(path, text);
    return text;
  };
}

/**
 * Its files that the base does not have as they are. In the tree of a look submodules and filtered files differ from the commit
 * without anybody's doing, so only what was committed, or differs since the session's start, counts.
 */
async function workIn(
  ended: Ended,
  of: {
    readonly from: string;
    readonly changed: readonly ChangedFile[];
    readonly session: readonly ChangedFile[];
  },
): Promise<readonly ChangedFile[]> {
  const { base, tree, tip, nested } = ended;
  const { from, changed, session } = of;
  if (changed.length === 0) return changed;
  const since = session.flatMap(({ path, from: former = path }) => [path, former]);
  const touched = new Set([...since, ...(await differing(ended, from, tip))]);
  const own = base === null || base === from ? undefined : new Set(await differing(ended, base, tree));
  return changed.filter(
    ({ path }) =>
      touched.has(path) &&
      (own?.has(path) ?? true) &&
      !nested.some((folder) => path.startsWith(`${folder}/`)),
  );
}

function findingOf(says: ReadonlyMap<string, string>, commit: string | undefined): Finding {
  const paths = [...says.keys()];
  const [named, more] = [[...says.values()].slice(0, NAMED).join("; "), paths.length - NAMED];
  const what = `${named}${more > 0 ? `; and ${more} more` : ""}`;
  const files = paths.length > WRITTEN_OUT ? "PATHS" : paths.map(shellWord).join(" ");
  // In a checkout a human may have had changes of his own before.
  const mend =
    commit === undefined
      ? "take that back"
      : `run \`git checkout ${commit.slice(0, 12)} -- ${files}\` and commit`;
  return {
    ...{ kind: "checks_changed", paths, refs: commit === undefined ? [] : [commit.slice(0, 12)] },
    says: `What decides whether the work is right was changed: ${what}. If the task does not ask for it, ${mend}.`,
  };
}

const NAMED = 3;
const WRITTEN_OUT = 5;

async function protectedIn(ask: Ask, globs: readonly string[], from: string, to: string): Promise<string[]> {
  if (globs.length === 0) return [];
  return await differing(
    { ask },
    from,
    to,
    globs.map((glob) => `:(top,glob)${glob}`),
  );
}

async function patchOf(ask: Ask, from: string, to: string, changed: readonly ChangedFile[]): Promise<string> {
  const tests = changed.filter(({ path, from = path }) => isTest(path) || isTest(from)).slice(0, MOST);
  if (tests.length === 0) return "";
  const paths = tests.flatMap(({ path, from = path }) => [`:(top,literal)${path}`, `:(top,literal)${from}`]);
  return await ask([...PATCH, from, to, "--", ...paths]);
}

/** In files. */
const MOST = 500;
const PATCH = ["-c", "core.quotePath=false", "-c", "core.bigFileThreshold=4m", "diff-tree"].concat([
  "-r",
  "-p",
  "-U0",
  "-M",
  "--text",
  "--no-ext-diff",
  "--no-textconv",
  "--no-color",
  "--no-relative",
]);
