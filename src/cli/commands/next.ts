import type { Command } from "commander";
import { toApprove } from "../../operations/to-approve.ts";
import { print, printJson, quoteLine } from "../../terminal/output.ts";
import { type CommonOptions, guarded, readingOptions, withProject } from "../command.ts";

export function addNext(program: Command): void {
  readingOptions(
    program
      .command("next")
      .description(
        "the task to start next: the first ready one by priority, then by id; null if there is none",
      ),
  )
    .addHelpText("after", "\nExample:\n  signalbox next --json")
    .action((options: CommonOptions) =>
      guarded(() =>
        withProject(options, async ({ queries }) => {
          const task = (await queries.nextTask()) ?? null;
          if (options.json) {
            printJson(task);
            return;
          }
          print(task ? `#${task.id} ${quoteLine(task.title)} (${task.priority})` : "Nothing is ready.");
          if (task) return;
          for (const { id, ...waiting } of await queries.briefTasks({ status: "pending" })) {
            for (const line of toApprove(waiting)) print(`#${id}: ${line}`);
          }
        }),
      ),
    );
}
