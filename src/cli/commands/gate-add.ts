import type { Command } from "commander";
import { declareGates } from "../../decisions/gates.ts";
import { visibleLines } from "../../events/visible.ts";
import { toApprove } from "../../operations/to-approve.ts";
import { print, printJson } from "../../terminal/output.ts";
import { type CommonOptions, guarded, parseId, withProject, writingOptions } from "../command.ts";
import { declaredBy, type GateOptions, gateOptions, refuseIdle } from "./gate-fields.ts";

/** Gates for a task that is there; `task add` declares those of a new one. */
export function addAdd(group: Command): void {
  writingOptions(
    gateOptions(
      group
        .command("add")
        .description("add gates to a task; those that an agent adds wait for your approval")
        .argument("<task>", "the task's id", parseId),
    ),
  )
    .addHelpText("after", "\nExample:\n  signalbox gate add 7 --verify 'npm run lint'")
    .action((task: number, options: GateOptions & CommonOptions, command: Command) =>
      guarded(() => {
        refuseIdle(options, command);
        const { gates, criteria } = declaredBy(options);
        if (criteria) {
          command.error(
            `error: a criterion is no gate; give it by \`signalbox task set ${task} --criterion\``,
          );
        }
        return withProject(options, async (project) => {
          const events = await project.decide(declareGates({ task, gates }), options.key);
          const details = await project.queries.task(task);
          const added = details?.gates.slice(-events.length) ?? [];
          if (options.json) {
            printJson({ task, status: details?.status, ready: details?.ready, gates: added });
            return;
          }
          for (const { gate, command: text } of added) {
            print(`Gate ${gate} of task ${task}:`);
            for (const line of visibleLines(text)) print(`  ${line}`);
          }
          for (const line of toApprove(details)) print(line);
        });
      }),
    );
}
