import { resolve } from "node:path";
import type { ReadModel } from "../../read-model/read-model.ts";
import { type FittedText, fitText } from "./fit-text.ts";
import { learningsText } from "./render-learnings.ts";
import { progressText } from "./render-progress.ts";
import { type StateFileName, stateFilePaths } from "./write.ts";

/**
 * So many characters of a state file go into an agent's context at once, some 7,500 tokens; clients warn of answers of
 * more than 10,000.
 */
export const READ_LIMIT = 30_000;

/** A state file's text as the read model has it now, whenever the file was written. */
export interface StateFileText extends FittedText {
  /** The file's path. */
  readonly file: string;
}

/**
 * @param limit in UTF-16 units; what is longer is shortened, and says so
 */
export function readStateFile(readModel: ReadModel, name: StateFileName, limit: number): StateFileText {
  const file = pathOf(readModel, name);
  const all = `All of it: ${file}, once \`signalbox state-files\` has written it; or ${COMMANDS[name]}.`;
  return { ...fitText(TEXTS[name](readModel), limit, all), file };
}

const TEXTS = { progress: progressText, learnings: learningsText } as const;

const COMMANDS = {
  progress: "`signalbox progress show`",
  learnings: "`signalbox learning show`",
} as const;

/** Where the read model has no file of its own, the path is that in the project's folder. */
function pathOf({ database }: ReadModel, name: StateFileName): string {
  return database.memory ? `.ralph/${name}.txt` : stateFilePaths(resolve(database.name))[name];
}
