import { named } from "../../events/types/work-words.ts";
import { shellWord } from "../../lib/shell-word.ts";
import { splitNul } from "../git.ts";
import { type Ask, type Beginning, commonOf } from "./beginning.ts";
import type { Finding } from "./finding.ts";
import { differing, type Ended, filesIn } from "./left-behind.ts";

/**
 * What the branch would take back of other work: with the trees S of its base when its work began, B of the base now, T of the branch
 * and X of what both have in common, the paths with S = T ≠ B and X = B, for which a merge takes T. It does not matter by which
 * commits the branch came to that: a soft reset, a rebase, a squash.
 *
 * @throws GitError
 */
export async function undoes({ base: name, fork }: Beginning, ended: Ended): Promise<Finding[]> {
  const { ask, base, tip, tree } = ended;
  if (name === null || base === null || fork === null || base === fork) return [];
  const common = await commonOf(ask, tip, base);
  if (common === undefined || common === fork) return [];
  const later = await differing(ended, fork, base);
  if (later.length === 0) return [];
  const own = new Set(await differing(ended, fork, tree));
  const conflicting = new Set(await differing(ended, common, base));
  const back = later.filter((path) => !own.has(path) && !conflicting.has(path));
  if (back.length === 0) return [];
  // What the last commit still has is taken back by the next one, but not where a sparse checkout leaves it out.
  const kept = new Set(await differing(ended, fork, tip));
  const isOpen = back.some((path) => kept.has(path));
  const open = new Set(isOpen ? splitNul(await ask([...UNCOMMITTED, tip])) : []);
  const paths = back.filter((path) => !kept.has(path) || open.has(path));
  if (paths.length === 0) return [];
  const mend = await mendOf(paths, name, ask, base);
  return [
    {
      ...{ kind: "undoes", paths, refs: [name] },
      says: `Your branch takes back what others brought into ${name}: ${named(paths)}. ${mend}, and commit; if it has to go, \`ask\`.`,
    },
  ];
}

const UNCOMMITTED = ["diff-index", "-z", "--name-only", "--no-relative", "--ignore-submodules=all"];

/**
 * What the result of a merge takes back: the paths that the base has in another way since the work began, and the result has as they
 * were then. Not those with which the work began in another way: they came with its dependencies, and it may have gone on from them.
 *
 * @param fork what the branch and its base had in common when the work began
 * @param start the branch's commit then
 * @throws GitError
 */
export async function takenBack(
  ask: Ask,
  { fork, start, base, result }: Readonly<Record<"fork" | "start" | "base" | "result", string>>,
): Promise<string[]> {
  const own = new Set([
    ...(await differing({ ask }, fork, result)),
    ...(await differing({ ask }, fork, start)),
  ]);
  return (await differing({ ask }, fork, base)).filter((path) => !own.has(path));
}

/** The command that gives files back what the base has. @throws GitError */
export async function mendOf(
  paths: readonly string[],
  name: string,
  ask: Ask,
  base: string,
): Promise<string> {
  if (paths.length > WRITTEN_OUT) return `Restore them with \`git checkout ${name} -- PATHS\``;
  const there = await filesIn(ask, base);
  const words = (some: readonly string[]) => some.map(shellWord).join(" ");
  const brought = paths.filter((path) => there.has(path));
  const removed = paths.filter((path) => !there.has(path));
  const restore = brought.length > 0 ? [`git checkout ${name} -- ${words(brought)}`] : [];
  const remove = removed.length > 0 ? [`git rm -- ${words(removed)}`] : [];
  return `Run \`${[...restore, ...remove].join(" && ")}\``;
}

const WRITTEN_OUT = 5;
