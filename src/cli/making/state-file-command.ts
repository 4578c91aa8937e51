import { z } from "zod";
import { catchUp } from "../../read-model/worker.ts";
import { readStateFile } from "../../workspace/state-files/read.ts";
import { type StateFileName, stateFilePaths } from "../../workspace/state-files/write.ts";
import { readingOptions, readModelPath } from "./command.ts";
import { defineCommand } from "./project-command.ts";

/** A command that prints the whole text of a state file as the log has it now; the file is not touched. */
export function stateFileCommand(
  file: StateFileName,
  words: { readonly does: string; readonly isDefault?: boolean },
) {
  return defineCommand({
    input: z.strictObject({}),
    options: readingOptions,
    async run({ store: { readModel, log } }, _input, options) {
      await catchUp(readModel, log);
      const { text } = readModel.snapshot(() => readStateFile(readModel, file, Number.POSITIVE_INFINITY));
      // The read model of a project as it was has no file beside which this one would lie.
      return { text, file: stateFilePaths(readModelPath(options))[file] };
    },
    command: { name: "show", takes: {}, example: "", says: ({ text }) => text.replace(/\n$/, ""), ...words },
  });
}
