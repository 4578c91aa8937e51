import type { Command } from "commander";
import { addComment as comment } from "../../decisions/comments.ts";
import { type CommonOptions, guarded, parseId, withProject, writingOptions } from "../command.ts";
import { print, printJson } from "../output.ts";

export function addComment(program: Command): void {
  writingOptions(
    program
      .command("comment")
      .description("write a comment on a task; it is shown in the timeline and goes into the next prompt")
      .argument("<task>", "the task's id", parseId)
      .argument("<text>", "markdown")
      .option("--author <name>", "whose comment it is", "human"),
  )
    .addHelpText("after", "\nExample:\n  signalbox comment 7 'Also test unicode URLs please.'")
    .action((task: number, body: string, options: CommonOptions & { author: string }) =>
      guarded(() =>
        withProject(options, async (project) => {
          const [event] = await project.decide(comment({ task, author: options.author, body }), options.key);
          if (options.json) printJson({ id: event?.position, task, author: options.author, body });
          else print(`Commented on task ${task}.`);
        }),
      ),
    );
}
