import type { Command } from "commander";
import { rebuildAll } from "../../projections/worker.ts";
import { print, printJson } from "../../terminal/output.ts";
import { type CommonOptions, guarded, projectOptions, withProject } from "../command.ts";
import { progressBar } from "../progress.ts";

export function addRebuild(program: Command): void {
  projectOptions(
    program
      .command("rebuild")
      .description("rebuild the read model from the whole log, then replace the current tables"),
  )
    .addHelpText("after", "\nExample:\n  signalbox rebuild")
    .action((options: CommonOptions) =>
      guarded(() =>
        withProject(options, async ({ store, log }) => {
          const bar = progressBar("events", await log.head());
          await rebuildAll(store.readModel, log, (position) => bar.update(position));
          bar.stop();
          const position = store.readModel.position();
          const contentHash = store.readModel.contentHash();
          if (options.json) printJson({ position, content_hash: contentHash });
          else print(`Rebuilt the read model from ${position} events; its content hash is ${contentHash}.`);
        }),
      ),
    );
}
