import { closeSync, existsSync, lstatSync, openSync, type Stats } from "node:fs";
import { basename, dirname, join } from "node:path";
import { LogError } from "./log-error.ts";

/**
 * Creates an empty file that only its owner can read, unless it exists. SQLite gives the files
 * beside a database the permissions of the database. If creating fails, opening it reports why.
 *
 * @throws LogError `disk`: the file, or one beside it, is a symbolic link
 */
export function touchPrivate(path: string): void {
  refuseLinks(path);
  if (existsSync(path)) return;
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch {
    // Another process created it meanwhile, or it cannot be created.
  }
}

/**
 * Refuses a project folder that is a symbolic link: it may lead anywhere, and change after this
 * check.
 *
 * @param path a file in `.ralph/db`
 * @returns a warning about the folder for the user, or undefined
 * @throws LogError `disk`: `.ralph` or `.ralph/db` is a symbolic link
 */
export function checkFolder(path: string): string | undefined {
  const folder = dirname(path);
  const parent = ralphFolderOf(path);
  const folders = parent === folder ? [folder] : [parent, folder];
  for (const each of folders) refuseLink(each, "Name the real folder with --db.");
  const user = process.getuid?.();
  const foreign = folders.find((each) => user !== undefined && (look(each)?.uid ?? user) !== user);
  return foreign === undefined
    ? undefined
    : `${foreign} belongs to user ${look(foreign)?.uid}, and you are user ${user}: this is another ` +
        "user's project.";
}

/**
 * Checks a database and the files that SQLite puts beside it. @throws LogError `disk`: one is a
 * symbolic link
 */
export function refuseLinks(path: string): void {
  for (const end of ["", "-wal", "-shm", "-journal"])
    refuseLink(`${path}${end}`, "Replace it with the file it points to, together with its -wal and -shm.");
}

/**
 * @param mend the remedy for the message @throws LogError `disk`: the file or folder is a symbolic
 * link
 */
export function refuseLink(path: string, mend: string): void {
  if (!look(path)?.isSymbolicLink()) return;
  throw new LogError("disk", `${path} is a symbolic link and may point to somebody else's files. ${mend}`);
}

/** The `.ralph` folder of a file in `.ralph/db`; any other file's own folder. */
export function ralphFolderOf(path: string): string {
  const folder = dirname(path);
  const parent = dirname(folder);
  return basename(parent) === ".ralph" ? parent : folder;
}

/** The folders for running work: one per session, and the workspaces' locks. */
export function runFolderBeside(readModelPath: string): string {
  return join(ralphFolderOf(readModelPath), "run");
}

/** The folder of one session's files, `.ralph/run/<session>/`. */
export function sessionFolderOf(readModelPath: string, session: string): string {
  return sessionFolderIn(runFolderBeside(readModelPath), session);
}

/** The same in a project's `.ralph/run/`. */
export function sessionFolderIn(runFolder: string, session: string): string {
  // Session names are free text; a name that is not a plain word must not become a path.
  return join(runFolder, encodeURIComponent(session).replaceAll(".", "%2E"));
}

/** Whether a folder is in the worktree of a task, which lies below `.ralph/worktrees`. */
export function isWorktree(folder: string): boolean {
  return folder.includes(join(".ralph", "worktrees", "task-"));
}

function look(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    // A path below a file, for example, does not exist; opening it reports why.
    return undefined;
  }
}
