import { lstatSync, mkdirSync } from "node:fs";
import { basename, dirname, resolve, sep } from "node:path";
import { LogError } from "./log-error.ts";
import { refuseLink } from "./project-folder.ts";

/**
 * Makes a folder that its owner alone can enter, where there is none. Below a project's `.ralph` each folder on the way is looked
 * at: git can bring a symbolic link in place of any of them.
 *
 * @throws LogError `disk`: one is a symbolic link, which might lead anywhere, or belongs to somebody else; Error of the system
 */
export function makePrivateFolder(path: string): void {
  for (const folder of foldersTo(resolve(path))) {
    refuseLink(folder, "Remove it; signalbox creates a folder in its place.");
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    refuseForeign(folder);
  }
}

/** Below `.ralph` all of them, outermost first; elsewhere the folder alone. */
function foldersTo(path: string): readonly string[] {
  const parts = path.split(sep);
  const first = parts.indexOf(".ralph");
  if (first === -1) return [path];
  return parts.slice(first).map((_, place) => parts.slice(0, first + place + 1).join(sep));
}

/** A project may be somebody else's, of which the user is told (`checkFolder`). In it nobody has a folder but its owner and the user. */
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
