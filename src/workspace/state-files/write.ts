import { join } from "node:path";
import { ralphFolderOf } from "../../lib/project-folder.ts";
import { writeIfChanged } from "../../lib/write-whole.ts";
import type { ReadModel } from "../../read-model/read-model.ts";
import { renderLearnings } from "./render-learnings.ts";
import { renderProgress } from "./render-progress.ts";

export type StateFileName = "progress" | "learnings";

/** Where the state files are. */
export function stateFilePaths(readModelPath: string): Readonly<Record<StateFileName, string>> {
  const folder = ralphFolderOf(readModelPath);
  return { progress: join(folder, "progress.txt"), learnings: join(folder, "learnings.txt") };
}

export interface StateFile {
  readonly path: string;
  /** False if the file said the same before, and was left alone. */
  readonly written: boolean;
}

/**
 * Writes `.ralph/progress.txt` and `.ralph/learnings.txt` as the read model has them, for agents and scripts that read
 * files. Both are one state of the log. A reader finds the old text or the new one, never a part of it; a file that
 * says the same already is not touched, so that its time tells when something changed.
 *
 * @param readModelPath the project's read model, `.ralph/db/ralph.db`
 * @throws Error of the system: the folder cannot be written
 */
export function writeStateFiles(readModel: ReadModel, readModelPath: string): readonly StateFile[] {
  const paths = stateFilePaths(readModelPath);
  const texts = readModel.snapshot(() => [
    { path: paths.progress, text: renderProgress(readModel) },
    { path: paths.learnings, text: renderLearnings(readModel) },
  ]);
  return texts.map(({ path, text }) => ({ path, written: writeIfChanged(path, text) }));
}
