import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { worktrees } from "../../config/schema.ts";
import { parsedJson } from "../../lib/json.ts";
import { platform } from "../../lib/platform/here.ts";
import { shellWord } from "../../lib/shell-word.ts";
import { contentOf } from "../../lib/write-whole.ts";
import { isWorkTree, splitNul, tryGit } from "../../workspace/git.ts";
import { LOCK_FILES } from "./lock-files.ts";

/** What a new worktree of a project needs, for a human to confirm. */
export interface ProposedWorktrees {
  readonly setup?: string;
  readonly copy?: readonly string[];
  readonly share?: readonly string[];
}

/**
 * Reads what a repository says of its worktrees: Cursor's `worktrees.json`, a `.worktreeinclude`, lock files of package managers,
 * ignored files of variables, and ignored caches of packages.
 *
 * @returns undefined: it says nothing, or the folder is in no repository
 */
export async function proposeWorktrees(folder: string): Promise<ProposedWorktrees | undefined> {
  if (!(await isWorkTree(folder))) return undefined;
  const locks = Object.entries(LOCK_FILES).filter(([name]) => existsSync(join(folder, name)));
  const {
    setup = [...new Set(locks.map(([, command]) => command))].join(" && "),
    copy = await variableFiles(folder),
  } = saidByRepository(folder);
  const share = await packageCaches(folder);
  const found = {
    ...(setup !== "" && { setup }),
    ...(copy.length > 0 && { copy }),
    ...(share.length > 0 && { share }),
  };
  // What the configuration would refuse is not proposed.
  return Object.keys(found).length > 0 && worktrees.safeParse(found).success ? found : undefined;
}

/** What its own files for worktrees say, those of Cursor and of Claude Code. */
export function saidByRepository(folder: string): Pick<ProposedWorktrees, "setup" | "copy"> {
  const [setup, copy] = [cursorSetup(folder), linesIn(join(folder, ".worktreeinclude"))];
  return { ...(setup !== undefined && { setup }), ...(copy && { copy }) };
}

/** Commands in a row, or the path of a script from the file's folder (https://cursor.com/docs/configuration/worktrees). */
const cursorSteps = z.union([z.array(z.string()), z.string()]).optional();
const cursorFile = z.object({
  "setup-worktree": cursorSteps,
  "setup-worktree-unix": cursorSteps,
  "setup-worktree-windows": cursorSteps,
});

function cursorSetup(folder: string): string | undefined {
  const text = contentOf(join(folder, ".cursor", "worktrees.json"));
  const { data: file } = cursorFile.safeParse(parsedJson(text ?? ""));
  const here = platform().system === "win32" ? "setup-worktree-windows" : "setup-worktree-unix";
  const steps = file?.[here] ?? file?.["setup-worktree"];
  return typeof steps === "string"
    ? `sh ${shellWord(join(".cursor", steps))}`
    : steps && (steps.length === 0 ? "" : ["set -e", ...steps].join("\n"));
}

function linesIn(path: string): readonly string[] | undefined {
  return contentOf(path)
    ?.split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
}

async function variableFiles(folder: string): Promise<readonly string[]> {
  const args = ["ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--", ":(glob)**/.env*"];
  // Of packages they are no settings of this project.
  const found = splitNul((await tryGit(folder, args)) ?? "");
  return found
    .filter((path) => /^[\w./@+-]*[\w]$/.test(path) && !/(?:^|\/)(?:node_modules|\.ralph)\//.test(path))
    .slice(0, 20)
    .map((path) => `/${path}`);
}

/** Those which git ignores as a link too: a pattern that ends with "/" names folders alone. */
async function packageCaches(folder: string): Promise<readonly string[]> {
  const isIgnored = async (path: string) =>
    (await tryGit(folder, ["check-ignore", "--quiet", "--", path])) !== undefined;
  const found: string[] = [];
  for (const path of CACHES) {
    if (!statSync(join(folder, path), { throwIfNoEntry: false })?.isDirectory()) continue;
    if (!(await isIgnored(path))) continue;
    const by = (await tryGit(folder, ["check-ignore", "--verbose", "--", path]))?.split("\t")[0];
    const isBeneath = path.includes("/") && (await isIgnored(dirname(path)));
    if (isBeneath || !by?.endsWith("/")) found.push(path);
  }
  return found;
}

/** Where package managers keep what they have fetched, if it is in the project: several may read and fill them at once. */
const CACHES = [".yarn/cache", ".pnpm-store", ".npm", "vendor/bundle", ".gradle/caches", ".m2/repository"];
