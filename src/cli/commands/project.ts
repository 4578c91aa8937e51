import type { Command } from "commander";
import { describeProject } from "../../decisions/project.ts";
import type { ProjectInfo, ProjectProgress } from "../../projections/queries/project.ts";
import { pc, print, printJson, printTable, quoteLine, quoteText } from "../../terminal/output.ts";
import {
  type CommonOptions,
  folderOf,
  guarded,
  readingOptions,
  withProject,
  writingOptions,
} from "../command.ts";

export function addProject(program: Command): void {
  const group = program.command("project").description("what the project says of itself, and how far it is");
  addShow(group);
  addSet(group);
}

function addShow(group: Command): void {
  readingOptions(
    group
      .command("show", { isDefault: true })
      .description("show title, description, time of creation and how many tasks are done"),
  )
    .addHelpText("after", "\nExample:\n  signalbox project show --json")
    .action((options: CommonOptions) =>
      guarded(() =>
        withProject(options, async ({ queries }) => {
          const { progress, ...info } = await queries.project();
          if (options.json) printJson({ ...info, progress });
          else show(info, progress, folderOf(options));
        }),
      ),
    );
}

interface Fields extends CommonOptions {
  readonly title?: string;
  readonly description?: string;
}

function addSet(group: Command): void {
  writingOptions(
    group
      .command("set")
      .description("give the project a title or a description")
      .option("--title <text>", "one line")
      .option("--description <text>", "what it is about; an empty one takes it away"),
  )
    .addHelpText("after", "\nExample:\n  signalbox project set --title Invoices")
    .action(({ title, description, ...options }: Fields) =>
      guarded(() =>
        withProject(options, async (project) => {
          await project.decide(describeProject({ title, description }), options.key);
          const { progress: _, ...info } = await project.queries.project();
          if (options.json) printJson(info);
          else
            print(`The project is ${info.title === null ? "without a title" : quoteLine(info.title, 200)}.`);
        }),
      ),
    );
}

function show(info: ProjectInfo, progress: ProjectProgress, folder: string): void {
  print(info.title === null ? pc.dim("no title") : pc.bold(quoteLine(info.title, 500)));
  print(pc.dim(`${folder} · since ${info.created?.slice(0, 16) ?? "never"} UTC`));
  if (info.description !== "") print(`\n${quoteText(info.description)}`);
  print(`\n${progress.done} of ${progress.total} tasks are done${percent(progress)}`);
  if (progress.total === 0) return;
  print();
  printTable(
    ["feature", "done", "tasks", "%"],
    progress.by_feature.map(({ feature, done, total, percentage }) => [
      quoteLine(feature),
      done,
      total,
      percentage,
    ]),
  );
}

function percent({ percentage, by_status }: ProjectProgress): string {
  const skipped = by_status.skipped ?? 0;
  if (percentage === null) return "";
  return skipped === 0 ? `, ${percentage} %` : `, ${percentage} % of those that are not skipped`;
}
