import type { Command } from "commander";
import { noSuchTask, stateOf } from "../../decisions/state.ts";
import { gateLines } from "../../operations/gate-lines.ts";
import { pc, print, printJson } from "../../terminal/output.ts";
import { type CommonOptions, guarded, parseId, readingOptions, withProject } from "../command.ts";

export function addGateList(group: Command): void {
  readingOptions(
    group
      .command("list")
      .description("list the gates of a task, each with the whole of its command")
      .argument("<task>", "the task's id", parseId),
  )
    .addHelpText("after", "\nExample:\n  signalbox gate list 7")
    .action((task: number, options: CommonOptions) =>
      guarded(() =>
        withProject(options, async ({ queries, store }) => {
          const gates = (await queries.task(task))?.gates;
          if (!gates) throw noSuchTask(stateOf(store.readModel), task);
          if (options.json) printJson(gates);
          else print(gates.length === 0 ? pc.dim("none") : gateLines(gates).join("\n"));
        }),
      ),
    );
}
