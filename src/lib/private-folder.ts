import { lstatSync, mkdirSync } from "node:fs";
import { basename, dirname, resolve, sep } from "node:path";
import { LogError } from "./log-error.ts";
import { refuseLink } from "./project-folder.ts";

/**
 * Creates a folder that only its owner can enter, unless it exists. Below a project's `.ralph`,
 * checks every folder on the path: git can put a symbolic link in place of any of them.
 *
 * @throws LogError `disk`: a folder is a symbolic link, which could lead anywhere, or belongs to
 * another user; Error from the system
 */
export function makePrivateFolder(path: string): void {
  for (const folder of foldersTo(resolve(path))) {
    refuseLink(folder, "Remove it; signalbox then creates a folder in its place.");
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    refuseForeign(folder);
  }
}

/** Below `.ralph` all folders on the path, outermost first; elsewhere only the folder itself. */
function foldersTo(path: string): readonly string[] {
  const parts = path.split(sep);
  const first = parts.indexOf(".ralph");
  if (first === -1) return [path];
  return parts.slice(first).map((_, place) => parts.slice(0, first + place + 1).join(sep));
}

/**
 * A project may belong to another user, and `checkFolder` warns about that. Folders in it must
 * belong to that owner or to the current user.
 */
function refuseForeign(folder: string): void {
  const user = process.getuid?.();
  const { uid } = lstatSync(folder);
  if (user === undefined || uid === user || basename(folder) === ".ralph") return;
  if (uid === lstatSync(dirname(folder)).uid) return;
  throw new LogError(
    "disk",
    `${folder} belongs to user ${uid}, and you are user ${user}: they could change its files. Take ownership with \`chown\`, or remove it.`,
  );
}
