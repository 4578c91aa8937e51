import { type Command, InvalidArgumentError } from "commander";
import { noSuchTask, stateOf } from "../../decisions/state.ts";
import type { Project } from "../../project.ts";
import { catchUp } from "../../projections/worker.ts";
import { whyTask } from "../../replay/why/task.ts";
import { type CommonOptions, guarded, parseId, readingOptions, withProject } from "../command.ts";
import { print, printJson } from "../output.ts";
import { taskLines } from "../why-lines.ts";

export function addWhy(program: Command): void {
  const group = program
    .command("why")
    .description("why a task is as it is: the rules, and the events that they looked at");
  readingOptions(
    group
      .command("task", { isDefault: true })
      .description("why a task has its status, back to when it was added, and what its next one waits for")
      .argument("<task>", "the task's id", parseTask),
  )
    .addHelpText("after", "\nExample:\n  signalbox why 7")
    .action((id: number, options: CommonOptions) =>
      guarded(() => withProject(options, (project) => explainTask(project, id, options))),
    );
}

async function explainTask({ store, log }: Project, id: number, { json }: CommonOptions): Promise<void> {
  await catchUp(store.readModel, log);
  const reasons = await whyTask(store.readModel, log, id);
  if (!reasons) throw noSuchTask(stateOf(store.readModel), id);
  if (json) printJson(reasons);
  else for (const line of taskLines(reasons)) print(line);
}

function parseTask(text: string): number {
  if (/^\D/.test(text)) throw new InvalidArgumentError("It must be a task's id, such as 7.");
  return parseId(text);
}
