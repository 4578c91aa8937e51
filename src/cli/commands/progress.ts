import type { Command } from "commander";
import { noteProgress } from "../../decisions/project.ts";
import { print, printJson } from "../../terminal/output.ts";
import { type CommonOptions, guarded, withProject, writingOptions } from "../command.ts";
import { stateFileCommand } from "../state-file-command.ts";

export function addProgress(program: Command): void {
  const group = program.command("progress").description("how the work goes on");
  stateFileCommand(group.command("show", { isDefault: true }), "progress")
    .description("print what is done, what remains, what waits and the last notes: progress.txt as of now")
    .addHelpText("after", "\nExample:\n  signalbox progress show");
  writingOptions(
    group
      .command("add")
      .description("note how the work goes on; progress.txt shows it")
      .argument("<text>", "the note"),
  )
    .addHelpText("after", "\nExample:\n  signalbox progress add 'The export works; the import is half done.'")
    .action((text: string, options: CommonOptions) =>
      guarded(() =>
        withProject(options, async (project) => {
          const [event] = await project.decide(noteProgress({ text }), options.key);
          if (options.json) printJson({ id: event.position, text });
          else print(`Noted at position ${event.position}.`);
        }),
      ),
    );
}
