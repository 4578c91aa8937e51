import type { Command } from "commander";
import { type CommonOptions, folderOf, guarded, projectOptions, withProject } from "../making/command.ts";
import { fleetWatchOf } from "../running/fleet-watch.ts";

interface WatchOptions extends CommonOptions {
  readonly color: boolean;
  readonly ascii?: boolean;
}

/** Written for commander: runs until it is stopped. */
export function addWatch(program: Command): void {
  projectOptions(
    program
      .command("watch")
      .description("show sessions, board and inbox live, with keys to answer, resolve and approve"),
  )
    .option("--actor <name>", "the actor's name in the log", "human")
    .option("--no-color", "no colours")
    .option("--ascii", "ASCII symbols only")
    .addHelpText(
      "after",
      "\nWith --json, or if stdout is not a terminal, it prints one line per change.\n\nExample:\n  signalbox watch",
    )
    .action((options: WatchOptions) =>
      guarded(() =>
        withProject(options, async (project) => {
          const { stdin, stdout, env } = process;
          const onScreen = stdin.isTTY && stdout.isTTY && env.TERM !== "dumb" && !options.json;
          if (!onScreen) {
            const { printChanges } = await import("../watch/change-lines.ts");
            await printChanges(project, { json: options.json === true });
            return;
          }
          const { showOnTerminal } = await import("../watch/view.ts");
          await showOnTerminal(project, {
            folder: folderOf(options),
            color: options.color && !env.NO_COLOR,
            ascii: options.ascii === true,
            fleet: await fleetWatchOf(options),
          });
        }),
      ),
    );
}
