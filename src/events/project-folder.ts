import { closeSync, existsSync, lstatSync, openSync, type Stats } from "node:fs";
import { basename, dirname, join } from "node:path";
import { LogError } from "./log-error.ts";

/**
 * Makes an empty file that its owner alone can read, where there is none. SQLite gives the files beside a database the
 * rights of the database. Where it cannot be made, whoever opens it next says why.
 *
 * @throws LogError `disk`: it, or a file beside it, is a symbolic link
 */
export function touchPrivate(path: string): void {
  refuseLinks(path);
  if (existsSync(path)) return;
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch {
    // Another process has made it meanwhile, or nobody can.
  }
}

/**
 * A project's folder that is a symbolic link may lead anywhere, also after it was looked at: it is refused.
 *
 * @param path a file in `.ralph/db`
 * @returns what a user should be told of the folder, or undefined
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
    : `${foreign} belongs to user ${look(foreign)?.uid}, and you are user ${user}: you are working on another user's project.`;
}

/** Of a database and of the files that SQLite puts beside it. @throws LogError `disk`: one is a symbolic link */
export function refuseLinks(path: string): void {
  for (const end of ["", "-wal", "-shm", "-journal"])
    refuseLink(
      `${path}${end}`,
      "Replace it with the file that it points to, together with its -wal and -shm.",
    );
}

/** @param mend what to do about it @throws LogError `disk`: the file or folder is a symbolic link */
export function refuseLink(path: string, mend: string): void {
  if (!look(path)?.isSymbolicLink()) return;
  throw new LogError("disk", `${path} is a symbolic link and may point to somebody else's files. ${mend}`);
}

/** The folder `.ralph` of a file in `.ralph/db`; of a file that lies elsewhere its own folder. */
export function ralphFolderOf(path: string): string {
  const folder = dirname(path);
  const parent = dirname(folder);
  return basename(parent) === ".ralph" ? parent : folder;
}

/** Where what runs has its files: sessions a folder each, workspaces a lock each. */
export function runFolderBeside(readModelPath: string): string {
  return join(ralphFolderOf(readModelPath), "run");
}

function look(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    // What lies below a file, for one, is nothing; whoever opens it says why.
    return undefined;
  }
}
