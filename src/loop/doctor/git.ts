import { dirname } from "node:path";
import { ralphFolderOf } from "../../events/project-folder.ts";
import { type Check, type Finding, failed, ok, type Place, skipped, warning } from "./check.ts";
import { usableConfig } from "./config.ts";
import { findProgram, run } from "./program.ts";

/** Whether git is there and has the project, by which a loop sees what a session changed. */
export const gitCheck: Check = {
  name: "git",
  async look(place) {
    const git = findProgram("git", place);
    const wanted = usableConfig(place)?.worktrees === true;
    if (git === undefined) {
      const judge = wanted ? failed : warning;
      return [judge("git", "There is no git on PATH", `Install it. Without it ${NO_FINGERPRINTS}.`)];
    }
    const { stdout } = await run(git, ["--version"], place);
    if (place.readModelPath === undefined) return [ok("git", stdout.trim())];
    return lookAtProject(git, ralphFolderOf(place.readModelPath), place, wanted);
  },
};

const NO_FINGERPRINTS = "workspaces have no fingerprints, so sessions that changed nothing cannot be counted";

async function lookAtProject(
  git: string,
  ralph: string,
  place: Place,
  worktrees: boolean,
): Promise<Finding[]> {
  const folder = dirname(ralph);
  // Looking must not write: git would else refresh its index by the way.
  const env = { ...place.env, GIT_OPTIONAL_LOCKS: "0" };
  const ask = (...args: string[]) => run(git, ["-C", folder, ...args], { cwd: place.cwd, env });
  const inside = await ask("rev-parse", "--is-inside-work-tree");
  if (inside.stdout.trim() !== "true") {
    const why = inside.stderr.trim().split("\n")[0] || "it is bare";
    const mend = `\`git init\` in ${folder}, and commit. Without it ${NO_FINGERPRINTS}.`;
    return [
      warning("git", `${folder} is not in a work tree (${why})`, mend),
      ...(worktrees
        ? [failed("worktrees", "The configuration asks for worktrees, and there is no repository", mend)]
        : []),
    ];
  }
  const ignored = (await ask("check-ignore", "-q", `${ralph}/db/events.db`)).exitCode === 0;
  return [
    ok("git", `${folder} is in a work tree`),
    ignored
      ? ok("git ignore", ".ralph/ is ignored")
      : warning(
          "git ignore",
          "git does not ignore .ralph/: an agent that commits or stashes all files takes the log along",
          "Add the line `.ralph/` to .gitignore; where its files were added before: `git rm -r --cached .ralph`.",
        ),
    worktrees
      ? worktreesFinding((await ask("rev-parse", "--verify", "-q", "HEAD")).exitCode === 0)
      : NOT_ASKED_FOR,
  ];
}

const NOT_ASKED_FOR = skipped("worktrees", "the configuration does not ask for them");

function worktreesFinding(hasCommit: boolean): Finding {
  return hasCommit
    ? ok("worktrees", "they can be made")
    : failed("worktrees", "A worktree begins at a commit, and there is none", "Commit something first.");
}
