import { overlap } from "../../lib/globs-overlap.ts";
import type { ChangedFile } from "../diff.ts";
import { type Ask, type Beginning, tryAsk } from "./beginning.ts";
import { type Finding, named } from "./finding.ts";
import { scriptIn, watchedBy } from "./gate-files.ts";
import { differing, type Ended } from "./left-behind.ts";
import { isTest, weakerTests } from "./weaker-tests.ts";

/**
 * Files that decide whether the gates pass, and that the task's work changed or deleted: protected ones, those that a gate's command
 * line names, the scripts that it runs, and tests that check less (docs/rules.md, Evidence). New files are none of them.
 *
 * @param changed by the task's work that is not merged, also of earlier sessions: a weak test does not become right by a second session
 * @throws GitError
 */
export async function checksChanged(
  began: Beginning,
  ended: Ended,
  changed: readonly ChangedFile[],
): Promise<Finding[]> {
  const { checks, fork, tree: start, head } = began;
  const from = changedFrom(began);
  if (!checks) return [];
  const { ask, base, tree } = ended;
  // What came with the base is no work of this task.
  const own = base === null || base === fork ? undefined : new Set(await differing(ended, base, tree));
  const work = changed.filter(({ path }) => own?.has(path) ?? true);
  const former = work.filter(({ kind }) => kind !== "added");
  if (former.length === 0) return [];
  const says = new Map<string, string>();
  const tell = (path: string, what: string) => says.has(path) || says.set(path, `${path}${what}`);
  const text = (tip: string) => async (path: string) =>
    await tryAsk(ask, ["cat-file", "blob", `${tip}:${path}`]);
  const [before, after] = [text(from), text(tree)];
  const kinds = new Map(former.map((file) => [file.from ?? file.path, file.kind]));
  for (const [path, kind] of kinds)
    if (checks.protect.some((glob) => overlap(glob, path)))
      tell(path, `, which gates.protect names, was ${kind}`);
  for (const command of checks.commands)
    for (const { path, script } of await watchedBy(command, checks.folder, before)) {
      const kind = kinds.get(path);
      if (kind === undefined) continue;
      if (script === undefined) tell(path, `, which a gate names, was ${kind}`);
      else if (
        String(scriptIn(path, script, (await before(path)) ?? "")) !==
        String(scriptIn(path, script, (await after(path)) ?? ""))
      )
        tell(path, `: ${script || "the first target"}, which a gate runs, was changed`);
    }
  for (const { path, says: what } of weakerTests(work, await patchOf(ask, from, tree, work)))
    says.has(path) || says.set(path, what);
  if (says.size === 0) return [];
  const paths = [...says.keys()];
  const commit = (from === start ? head : from).slice(0, 12);
  return [
    {
      ...{ kind: "checks_changed", paths, refs: [commit] },
      says: `What decides whether the work is right was changed: ${named([...says.values()])}. If the task does not ask for it, bring it back from ${commit} (\`git checkout ${commit} -- PATH\`) and commit.`,
    },
  ];
}

/** With what a task's work is compared: all that is not merged of it, or in a checkout that tasks share, this session's. */
export function changedFrom({ branch, fork, tree }: Beginning): string {
  return branch === null ? tree : (fork ?? tree);
}

async function patchOf(ask: Ask, from: string, to: string, changed: readonly ChangedFile[]): Promise<string> {
  const tests = changed.filter(({ path, from = path }) => isTest(path) || isTest(from)).slice(0, MOST);
  if (tests.length === 0) return "";
  const paths = tests.flatMap(({ path, from = path }) => [`:(top,literal)${path}`, `:(top,literal)${from}`]);
  return await ask([...PATCH, from, to, "--", ...paths]);
}

/** In files. */
const MOST = 500;
const PATCH = ["-c", "core.quotePath=false", "diff-tree", "-r", "-p", "-U0", "-M", "--no-ext-diff"].concat([
  "--no-textconv",
  "--no-color",
  "--no-relative",
]);
