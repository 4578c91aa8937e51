import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { logPathBeside } from "../events/log-location.ts";
import { LogError } from "../lib/log-error.ts";
import { projectState } from "./project-state.ts";

/**
 * Refuses a log where git tracks a journal of it, or of the read model: SQLite takes its pages for the database's own, so whoever can
 * bring a branch would write into it. Git is asked again only where its index has changed.
 *
 * @throws LogError `disk`
 */
export async function refuseTrackedJournals(readModelPath: string): Promise<void> {
  const journals = [logPathBeside(readModelPath), readModelPath].flatMap((path) => [
    `${path}-wal`,
    `${path}-shm`,
  ]);
  const present = journals.filter((path) => existsSync(path));
  const index = present.length > 0 ? indexAbove(dirname(readModelPath)) : undefined;
  if (index === undefined) return;
  const { mtimeNs, ino, size } = statSync(index, { bigint: true });
  const stamp = `${index} ${mtimeNs} ${ino} ${size}`;
  const state = stateOf(readModelPath);
  if (state?.read(FILE) === stamp) return;
  const { splitNul, tryGit } = await import("../workspace/git.ts");
  const tracked = await tryGit(dirname(readModelPath), ["ls-files", "-z", "--", ...present]);
  if (tracked) {
    const files = splitNul(tracked);
    throw new LogError(
      "disk",
      `Git tracks ${files.join(", ")} in ${dirname(readModelPath)}, and could change the log by it, so the log is not opened. ` +
        `If a branch brought it, remove it with \`git rm -f ${files.join(" ")}\` there; if it was added by mistake, with \`git rm --cached\`.`,
    );
  }
  try {
    state?.write(FILE, stamp);
  } catch {
    // Git is asked again.
  }
}

const FILE = "git-index";

function stateOf(readModelPath: string) {
  try {
    return projectState(readModelPath);
  } catch (error) {
    if (error instanceof LogError) return undefined;
    throw error;
  }
}

/** The index of the repository around a folder; undefined: there is none. */
function indexAbove(folder: string): string | undefined {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const git = join(at, ".git");
    const found = statSync(git, { throwIfNoEntry: false });
    if (found) {
      // A worktree and a submodule have a file that names the folder.
      const [, named] = found.isFile() ? (/^gitdir: (.+)$/m.exec(readFileSync(git, "utf8")) ?? []) : [];
      const index = join(named === undefined ? git : resolve(at, named), "index");
      return existsSync(index) ? index : undefined;
    }
    if (at === dirname(at)) return undefined;
  }
}
