import { lstatSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ralphFolderOf } from "../lib/project-folder.ts";
import { NOTICES_KEY } from "./project-key.ts";
import { projectState, SIGNING_KEY } from "./project-state.ts";

/** Where earlier versions kept in `.ralph/` what now lies in the state folder. Git can bring these, so nothing reads them. */
const FOLDERS = ["people", "tokens"];
const FILES: Readonly<Record<string, string>> = { "notices/key": NOTICES_KEY, key: SIGNING_KEY };

/** A file that gave somebody a right, and gives none any more. */
export interface FormerRight {
  /** Below `.ralph/`. */
  readonly path: string;
  /** In the state folder. */
  readonly to: string;
  readonly text: string;
}

/** What lies in `.ralph/` still; links and folders count for nothing. */
export function formerRights(readModelPath: string): readonly FormerRight[] {
  const ralph = ralphFolderOf(readModelPath);
  const tokens = FOLDERS.flatMap((folder) =>
    filesIn(join(ralph, folder)).map((name) => [`${folder}/${name}`, `${folder}/${name}`] as const),
  );
  return [...tokens, ...Object.entries(FILES)].flatMap(([path, to]) => {
    const file = join(ralph, path);
    return isFile(file) ? [{ path, to, text: readFileSync(file, "utf8") }] : [];
  });
}

/** Moves rights into the state folder; what is there already stays. @throws LogError `no_state`; Error from the system */
export function takeOver(readModelPath: string, rights: readonly FormerRight[]): void {
  const state = projectState(readModelPath);
  for (const { path, to, text } of rights) {
    state.readOrMake(to, () => text);
    rmSync(join(ralphFolderOf(readModelPath), path), { force: true });
  }
}

const TOKEN_FILE = /^[0-9a-f]{64}\.json$/;

function filesIn(folder: string): string[] {
  const isFolder = lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
  return isFolder ? readdirSync(folder).filter((name) => TOKEN_FILE.test(name)) : [];
}

function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
