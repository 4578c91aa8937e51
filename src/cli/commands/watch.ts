import type { Command } from "commander";
import { type CommonOptions, folderOf, guarded, projectOptions, withProject } from "../command.ts";

interface WatchOptions extends CommonOptions {
  readonly color: boolean;
  readonly ascii?: boolean;
}

export function addWatch(program: Command): void {
  projectOptions(
    program
      .command("watch")
      .description("a live view of sessions, board and inbox, with keys to answer, resolve and approve"),
  )
    .option("--actor <name>", "who decides, as the log names them", "human")
    .option("--no-color", "no colours; symbols and words say the same")
    .option("--ascii", "no symbols that a font may lack")
    .addHelpText(
      "after",
      "\nWhere stdout is no terminal, and with --json, it prints what changes, a line each.\n\nExample:\n  signalbox watch",
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
          });
        }),
      ),
    );
}
