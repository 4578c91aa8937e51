import { type Beginning, commonOf } from "./beginning.ts";
import { type Finding, named } from "./finding.ts";
import { differing, type Ended } from "./left-behind.ts";

/**
 * What the branch would take back of other work: with the trees S of its base when the task began, B of the base
 * now, T of the branch and X of what both have in common, the paths with S = T ≠ B and X = B, for which a merge takes T. It does
 * not matter by which commits the branch came to that: a soft reset, a rebase, a squash.
 *
 * @throws GitError
 */
export async function undoes({ base, fork }: Beginning, ended: Ended): Promise<Finding[]> {
  if (base === null || ended.base === null || fork === null || ended.base === fork) return [];
  const common = await commonOf(ended.folder, ended.tip, base);
  if (common === undefined || common === fork) return [];
  const later = await differing(ended, fork, ended.base);
  if (later.length === 0) return [];
  const own = new Set(await differing(ended, fork, ended.tree));
  const conflicting = new Set(await differing(ended, common, ended.base));
  const paths = later.filter((path) => !own.has(path) && !conflicting.has(path));
  if (paths.length === 0) return [];
  const files = paths.map((path) => `"${path}"`).join(" ");
  const mend = `Run \`git checkout ${base} -- ${paths.length > 5 ? "PATHS" : files}\` and commit; if it has to go, \`ask\`.`;
  return [
    {
      ...{ kind: "undoes", paths, refs: [base] },
      says: `Your branch takes back what others brought into ${base}: ${named(paths)}. ${mend}`,
    },
  ];
}
