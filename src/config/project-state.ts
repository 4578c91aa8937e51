import { hash } from "node:crypto";
import { existsSync, lstatSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { LogError } from "../lib/log-error.ts";
import { platform } from "../lib/platform/here.ts";
import { makePrivateFolder } from "../lib/private-folder.ts";
import { ralphFolderOf } from "../lib/project-folder.ts";
import { makeWhole, writeWhole } from "../lib/write-whole.ts";
import { STATE_VARIABLE, type StateFolder, stateFolder } from "./state-folder.ts";

/**
 * What decides who may do what in a project, and which log is its own. It lies in the user's state folder, since git can write
 * into `.ralph/` (docs/trust.md).
 */
export interface ProjectState {
  /** The folder; it need not exist. */
  readonly folder: string;
  /** A file's text; undefined: there is none. @throws LogError `no_state`: it is not the user's alone */
  read(name: string): string | undefined;
  /** The text of a file that is made once, by whoever is first. @throws as `write` */
  readOrMake(name: string, make: () => string): string;
  /** Writes a file that only its owner can read. @throws LogError `no_state`, `disk`; Error from the system */
  write(name: string, text: string): void;
  remove(name: string): void;
  /** Removes all of it, with a project that was temporary. */
  clear(): void;
}

/**
 * The state of a project, by the real path of its `.ralph/`: a copy of the project is another one.
 *
 * @throws LogError `no_state`: there is no folder for it
 */
export function projectState(readModelPath: string, env: NodeJS.ProcessEnv = process.env): ProjectState {
  const place = ralphFolderOf(readModelPath);
  const root = stateRootOf(place, env);
  if ("problem" in root) throw new LogError("no_state", root.problem);
  const projects = join(root.folder, "projects");
  const folder = join(projects, projectName(place));
  const requireOwn = () => {
    for (const each of [root.folder, projects, folder]) requireUnshared(each);
  };
  const read = (name: string) => {
    const path = join(folder, name);
    if (!existsSync(path)) return undefined;
    requireOwn();
    requireUnshared(path);
    return readFileSync(path, "utf8");
  };
  const prepare = (path: string) => {
    for (const each of [root.folder, projects, folder, dirname(path)]) makePrivateFolder(each);
    requireOwn();
    return path;
  };
  return {
    folder,
    read,
    readOrMake(name, make) {
      const found = read(name);
      if (found !== undefined) return found;
      makeWhole(prepare(join(folder, name)), make());
      return read(name) ?? "";
    },
    write: (name, text) => writeWhole(prepare(join(folder, name)), text),
    remove: (name) => rmSync(join(folder, name), { force: true }),
    clear: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Where the key that signs a project's tree heads lies, or would, unless a command names another. @throws LogError `no_state` */
export function signingKeyPath(readModelPath: string): string {
  return join(projectState(readModelPath).folder, SIGNING_KEY);
}

export const SIGNING_KEY = "signing.key";

/** The user's state folder for a project. @param place its `.ralph/`, or the folder of a read model elsewhere */
export function stateRootOf(place: string, env: NodeJS.ProcessEnv): StateFolder {
  if (!existsSync(place)) return { problem: `There is no folder ${place}.` };
  return stateFolder(basename(place) === ".ralph" ? dirname(place) : place, env);
}

/** By the real path, so that it is one project by whatever way somebody came. */
export function projectName(place: string): string {
  return hash("sha256", realpathSync(place)).slice(0, 32);
}

/** @throws LogError `no_state` */
function requireUnshared(path: string): void {
  const found = lstatSync(path);
  const user = process.getuid?.();
  const isForeign = found.isSymbolicLink() || (user !== undefined && found.uid !== user);
  if (!isForeign && !(platform().hasModes && (found.mode & 0o022) !== 0)) return;
  throw new LogError(
    "no_state",
    `Others may change ${path}, and so who may do what here. Make it yours alone with \`chown\` and \`chmod go-w\`, or set ${STATE_VARIABLE} to another folder.`,
  );
}
