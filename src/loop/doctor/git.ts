import { dirname } from "node:path";
import { worktrees as schema, worktreesOf } from "../../config/schema.ts";
import { ralphFolderOf } from "../../lib/project-folder.ts";
import { GitError, git } from "../../workspace/git.ts";
import { filesTracked, trackedMend, trackedWords } from "../../workspace/own-files.ts";
import { saidByRepository } from "../merge/propose-worktrees.ts";
import { type Check, type Finding, failed, ok, type Place, skipped, warning } from "./check.ts";
import { usableConfig } from "./config.ts";

/**
 * Whether git is installed and tracks the project: a loop uses it to see the changes of a session.
 */
export const gitCheck: Check = {
  name: "git",
  async look(place) {
    const wanted = (usableConfig(place)?.worktrees ?? false) !== false;
    const version = await askGit(place, place.cwd, "--version");
    if (version instanceof GitError) {
      const judge = wanted ? failed : warning;
      return [judge("git", "git is not on PATH", `Install it. Without it ${NO_FINGERPRINTS}.`)];
    }
    if (place.readModelPath === undefined) return [ok("git", version)];
    return lookAtProject(ralphFolderOf(place.readModelPath), place, wanted);
  },
};

/** The timeout for git. */
const LIMIT_MS = 10_000;

/** The output of git in a folder, or why it failed. */
async function askGit(
  { env }: Place,
  folder: string,
  ...args: readonly string[]
): Promise<string | GitError> {
  try {
    const environment = { PATH: env.PATH ?? "" };
    return (await git(folder, args, { environment, signal: AbortSignal.timeout(LIMIT_MS) })).trim();
  } catch (error) {
    if (error instanceof GitError) return error;
    throw error;
  }
}

const NO_FINGERPRINTS = "signalbox cannot tell which sessions changed nothing";

async function lookAtProject(ralph: string, place: Place, worktrees: boolean): Promise<Finding[]> {
  const folder = dirname(ralph);
  const inside = await askGit(place, folder, "rev-parse", "--is-inside-work-tree");
  if (inside !== "true") {
    const why = inside instanceof GitError ? inside.message.split("\n")[0] : "it is bare";
    const mend = `\`git init\` in ${folder}, and commit. Without it ${NO_FINGERPRINTS}.`;
    return [
      warning("git", `${folder} is not in a work tree (${why})`, mend),
      ...(worktrees
        ? [failed("worktrees", "The configuration asks for worktrees, but there is no git repository", mend)]
        : []),
    ];
  }
  const ignored = await askGit(place, folder, "check-ignore", "-q", `${ralph}/db/events.db`);
  const commit = await askGit(place, folder, "rev-parse", "--verify", "-q", "HEAD");
  const tracked = await filesTracked(folder);
  return [
    ok("git", `${folder} is in a work tree`),
    typeof ignored === "string"
      ? ok("git ignore", "what only signalbox writes in .ralph/ is ignored")
      : warning(
          "git ignore",
          "git does not ignore .ralph/: an agent that commits or stashes all files includes the log",
          "Add `.ralph/` to .gitignore. If its files are tracked already, run `git rm -r --cached .ralph`.",
        ),
    ...(tracked.length > 0
      ? [warning("git tracks", trackedWords(tracked), trackedMend(tracked, folder))]
      : []),
    worktrees ? worktreesFinding(typeof commit === "string") : NOT_ASKED_FOR,
    ...notUsed(folder, place),
  ];
}

/** What the repository's own files say of worktrees, where the configuration has nothing of it. `init` asks once. */
function notUsed(folder: string, place: Place): Finding[] {
  const config = usableConfig(place);
  const own = config && worktreesOf(config);
  const { setup, copy } = saidByRepository(folder);
  const unused = {
    ...(setup && own?.setup === undefined && { setup }),
    ...(copy?.length && !own?.copy.length && { copy }),
  };
  if (!config || Object.keys(unused).length === 0 || !schema.safeParse(unused).success) return [];
  const files = [
    ...("setup" in unused ? [".cursor/worktrees.json"] : []),
    ...("copy" in unused ? [".worktreeinclude"] : []),
  ];
  const found = `${files.join(" and ")} ${files.length > 1 ? "are" : "is"} not used: the configuration does not have what worktrees need`;
  const mend = `Put ${JSON.stringify(unused)} into "worktrees" of .ralph/config.json, and confirm it with \`signalbox config trust\`.`;
  return [own ? warning("worktree files", found, mend) : skipped("worktree files", `${found}. ${mend}`)];
}

const NOT_ASKED_FOR = skipped("worktrees", "not configured");

function worktreesFinding(hasCommit: boolean): Finding {
  return hasCommit
    ? ok("worktrees", "can be created")
    : failed("worktrees", "A worktree needs a commit, but there is none", "Commit something first.");
}
