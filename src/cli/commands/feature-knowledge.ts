import { type Command, Option } from "commander";
import { addContextFile } from "../../decisions/features.ts";
import { happened } from "../../decisions/refusal.ts";
import { learningOrigins } from "../../events/types/learnings.ts";
import { keptLearningLine } from "../../operations/kept-learning.ts";
import { addLearning } from "../../operations/learnings.ts";
import { print, printJson, quoteLine } from "../../terminal/output.ts";
import { type CommonOptions, guarded, parseId, withProject, writingOptions } from "../command.ts";

interface LearnOptions extends CommonOptions {
  readonly source: (typeof learningOrigins)[number];
  readonly reason?: string;
  readonly task?: number;
}

/** `feature learn`: tells something that was learned about a feature. */
export function addLearn(group: Command): void {
  writingOptions(
    group
      .command("learn")
      .description("tell something that was learned about a feature; it goes into the prompts of its tasks")
      .argument("<name>", "the feature's name")
      .argument("<text>", "what was learned")
      .addOption(new Option("--source <who>", "who found it out").choices(learningOrigins).default("human"))
      .option("--reason <text>", "why it is so")
      .option("--task <id>", "the task in whose course it was found", parseId),
  )
    .addHelpText("after", "\nExample:\n  signalbox feature learn billing 'Amounts are in cents.'")
    .action((feature: string, text: string, { source, reason, task, ...options }: LearnOptions) =>
      guarded(() =>
        withProject(options, async (project) => {
          const learning = addLearning({ feature, text, source, reason, task });
          const [event] = await project.decide(learning, options.key);
          const kept = await project.queries.keptLearning(event.position);
          if (options.json) printJson(kept);
          else print(keptLearningLine(kept));
        }),
      ),
    );
}

/** `feature context-file`: adds a file to those that the agents of a feature's tasks should know. */
export function addContextFileCommand(group: Command): void {
  writingOptions(
    group
      .command("context-file")
      .description("add a file to those that the agents of a feature's tasks should know")
      .argument("<name>", "the feature's name")
      .argument("<path>", "the file, relative to the project"),
  )
    .addHelpText("after", "\nExample:\n  signalbox feature context-file billing src/invoice.ts")
    .action((name: string, path: string, options: CommonOptions) =>
      guarded(() =>
        withProject(options, async (project) => {
          const added = await happened(project.decide(addContextFile({ name, path }), options.key));
          const context_files = (await project.queries.feature(name))?.context_files ?? [];
          if (options.json) printJson({ added, context_files });
          else {
            print(`${added ? "Added" : "Nothing to do"}; the feature ${quoteLine(name)} has these files:`);
            for (const file of context_files) print(`  ${quoteLine(file, 200)}`);
          }
        }),
      ),
    );
}
