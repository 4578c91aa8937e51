import { existsSync, lstatSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { errorMessage } from "../../lib/error-message.ts";
import { checkFolder, ralphFolderOf } from "../../lib/project-folder.ts";
import { type Check, type Finding, failed, ok, warning } from "./check.ts";

/** Whether there is a project, who owns it, and who can read it. */
export const projectCheck: Check = {
  name: "project",
  look({ readModelPath, noProject }) {
    if (readModelPath === undefined) {
      return [warning("project", noProject, "Create one with `signalbox init`, or name one with --db.")];
    }
    if (!existsSync(dirname(readModelPath))) {
      const mend = "Create one with `signalbox init`, or restore one with `signalbox restore BACKUP`.";
      return [failed("project", `There is no project at ${dirname(readModelPath)}`, mend)];
    }
    const ralph = ralphFolderOf(readModelPath);
    const foreign = ownerFinding(readModelPath);
    return [foreign ?? ok("project", ralph), privacyFinding(ralph, dirname(readModelPath))];
  },
};

function ownerFinding(readModelPath: string): Finding | undefined {
  try {
    const foreign = checkFolder(readModelPath);
    if (foreign === undefined) return undefined;
    return warning("project", foreign, "Work as that user, or take ownership of the folder: `chown -R`.");
  } catch (error) {
    // A symbolic link; the message has the remedy.
    return failed("project", errorMessage(error), "Name the real folder with --db.");
  }
}

/** A file in a folder that others cannot enter is private, whatever its own permissions. */
function privacyFinding(ralph: string, folder: string): Finding {
  const user = process.getuid?.();
  if (user === undefined)
    return { name: "privacy", state: "skipped", found: "File permissions cannot be checked on this system." };
  const files = readdirSync(folder).map((file) => join(folder, file));
  const foreign = [ralph, folder, ...files].filter((path) => lstatSync(path).uid !== user);
  if (foreign.length > 0) {
    return warning(
      "privacy",
      `Not yours (user ${user}): ${foreign.join(", ")}`,
      `\`chown -R ${user} ${ralph}\``,
    );
  }
  if ([ralph, folder].some((path) => isPrivate(path))) return ok("privacy", "only you can enter its folder");
  const open = files.filter((path) => !isPrivate(path));
  return open.length === 0
    ? ok("privacy", "only you can read its files")
    : warning("privacy", `Others can read ${open.join(", ")}`, `\`chmod -R go-rwx ${ralph}\``);
}

function isPrivate(path: string): boolean {
  return (lstatSync(path).mode & 0o077) === 0;
}
