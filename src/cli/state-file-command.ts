import type { Command } from "commander";
import { catchUp } from "../projections/worker.ts";
import { readStateFile } from "../state-files/read.ts";
import { type StateFileName, stateFilePaths } from "../state-files/write.ts";
import { printJson } from "../terminal/output.ts";
import { type CommonOptions, guarded, readingOptions, readModelPath, withProject } from "./command.ts";

/** Makes of a command one that prints the whole text of a state file as the log has it now; the file is not touched. */
export function stateFileCommand(command: Command, name: StateFileName): Command {
  return readingOptions(command).action((options: CommonOptions) =>
    guarded(() =>
      withProject(options, async ({ store: { readModel, log } }) => {
        await catchUp(readModel, log);
        const { text } = readModel.snapshot(() => readStateFile(readModel, name, Number.POSITIVE_INFINITY));
        // The read model of a project as it was has no file beside which this one would lie.
        if (options.json) printJson({ text, file: stateFilePaths(readModelPath(options))[name] });
        else process.stdout.write(text);
      }),
    ),
  );
}
