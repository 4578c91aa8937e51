import { join } from "node:path";
import { runFolderBeside } from "../../lib/project-folder.ts";

/** The folder of one session's files, `.ralph/run/<session>/`. */
export function sessionFolderOf(readModelPath: string, session: string): string {
  return sessionFolderIn(runFolderBeside(readModelPath), session);
}

/** The same in a project's `.ralph/run/`. */
export function sessionFolderIn(runFolder: string, session: string): string {
  // Session names are free text; a name that is not a plain word must not become a path.
  return join(runFolder, encodeURIComponent(session).replaceAll(".", "%2E"));
}
