import type { Command } from "commander";
import { catchUp } from "../../projections/worker.ts";
import { writeStateFiles } from "../../state-files/write.ts";
import { pc, print, printJson } from "../../terminal/output.ts";
import { type CommonOptions, guarded, projectOptions, readModelPath, withProject } from "../command.ts";

export function addStateFiles(program: Command): void {
  projectOptions(
    program
      .command("state-files")
      .description("write .ralph/progress.txt and .ralph/learnings.txt as the log has them"),
  )
    .addHelpText("after", "\nExample:\n  signalbox state-files --json")
    .action((options: CommonOptions) =>
      guarded(() =>
        withProject(options, async ({ store }) => {
          await catchUp(store.readModel, store.log);
          const files = writeStateFiles(store.readModel, readModelPath(options));
          if (options.json) printJson(files);
          else
            for (const { path, written } of files) print(`${path}${written ? "" : pc.dim(" (as it was)")}`);
        }),
      ),
    );
}
