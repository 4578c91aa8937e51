import { join } from "node:path";
import { runFolderBeside } from "../../events/project-folder.ts";

/** The folder of one session's files, `.ralph/run/<session>/`. */
export function sessionFolderOf(readModelPath: string, session: string): string {
  // Sessions may be named by anybody; a name that is no plain word is not taken for a path.
  return join(runFolderBeside(readModelPath), encodeURIComponent(session).replaceAll(".", "%2E"));
}
