import { join } from "node:path";
import { ralphFolderOf } from "../lib/project-folder.ts";

/** The file of a project's configuration; it need not exist. */
export function configPathOf(readModelPath: string): string {
  return join(ralphFolderOf(readModelPath), "config.json");
}
