import type { Command } from "commander";
import type { Decision } from "../../decisions/decide.ts";
import { deleteTask } from "../../decisions/delete-task.ts";
import { enrichTask } from "../../decisions/enrich-task.ts";
import { declareGates, withGates } from "../../decisions/gates.ts";
import { changeTask, createTask, setTaskStatus } from "../../decisions/tasks.ts";
import { together } from "../../decisions/together.ts";
import type { Project } from "../../project/project.ts";
import type { TaskBrief } from "../../projections/queries/tasks.ts";
import { pc, print, printJson, printTable, quoteLine } from "../../terminal/output.ts";
import {
  type CommonOptions,
  guarded,
  parseId,
  parseStatus,
  readingOptions,
  withProject,
  writingOptions,
} from "../command.ts";
import { type PageOptions, pageOptions, printPage } from "../paging.ts";
import { toApprove } from "../to-approve.ts";
import { declaredBy, type GateOptions, gateOptions, refuseIdle, verifyOptions } from "./gate-fields.ts";
import { type FieldOptions, fieldOptions, fieldsOf, planOptions } from "./task-fields.ts";
import { addShow } from "./task-show.ts";

export function addTask(program: Command): void {
  const group = program.command("task").description("tasks: add, change, look at them");
  addAdd(group);
  addList(group);
  addShow(group);
  addSet(group);
  addEnrich(group);
  addDelete(group);
}

function addAdd(group: Command): void {
  writingOptions(
    gateOptions(fieldOptions(group.command("add").description("add a task").argument("<title>", "one line"))),
  )
    .addHelpText(
      "after",
      [
        "\nExamples:\n  signalbox task add 'Export as CSV' --description 'Semicolons.' --verify 'npm test'",
        `signalbox task add 'Export as CSV' --gates ':: verify:"npm test" :fast :: "follows coding standards"'`,
      ].join("\n  "),
    )
    .action((title: string, options: FieldOptions & GateOptions, command: Command) =>
      guarded(() => {
        refuseIdle(options, command);
        const declared = declaredBy(options);
        return withProject(options, async (project) => {
          const task = { ...fieldsOf(options), ...declared, title, status: options.status };
          const [event] = await project.decide(createTask(task), options.key);
          const id = event.payload.task;
          const added = await project.queries.taskRow(id);
          if (options.json) printJson(added);
          else for (const line of [`Added task ${id}: ${quoteLine(title)}`, ...toApprove(added)]) print(line);
        });
      }),
    );
}

function addList(group: Command): void {
  pageOptions(
    readingOptions(
      group
        .command("list", { isDefault: true })
        .description("list tasks in the order of their ids")
        .option("--status <status>", "only those with this status", parseStatus)
        .option("--feature <name>", "only those of this feature")
        .option("--discipline <name>", "only those of this discipline"),
    ),
    parseId,
  )
    .addHelpText("after", "\nExample:\n  signalbox task list --status pending --json")
    .action((options: FieldOptions & PageOptions<number>) =>
      guarded(() =>
        withProject(options, ({ queries }) => {
          const keyOf = ({ id }: { readonly id: number }) => id;
          return options.json
            ? printPage(
                "tasks",
                options,
                (limit) => queries.tasks({ ...options, limit }),
                keyOf,
                () => {},
              )
            : printPage(
                "tasks",
                options,
                (limit) => queries.briefTasks({ ...options, limit }),
                keyOf,
                showTasks,
              );
        }),
      ),
    );
}

function showTasks(tasks: readonly TaskBrief[]): void {
  printTable(
    ["id", "status", "priority", "feature", "depends on", "title"],
    tasks.map((task) => [
      task.id,
      task.ready ? pc.green("ready") : task.status,
      task.priority,
      quoteLine(task.feature, 24),
      task.depends_on.join(", "),
      `${task.origin === "agent" ? "🤖 " : ""}${quoteLine(task.title)}`,
    ]),
  );
  for (const task of tasks) for (const line of toApprove(task)) print(pc.yellow(`#${task.id}: ${line}`));
}

function addSet(group: Command): void {
  writingOptions(
    verifyOptions(
      fieldOptions(
        group
          .command("set")
          .description("change a task, its status too; --verify adds gates to those that are there")
          .argument("<id>", "the task's id", parseId),
      ),
    ).option("--title <text>"),
  )
    .addHelpText("after", "\nExample:\n  signalbox task set 7 --priority high --depends-on 3,5")
    .action((id: number, options: ChangeOptions, command: Command) =>
      guarded(() => {
        refuseIdle(options, command);
        return withProject(options, async (project) => {
          await project.decide(changeOf(id, options), options.key);
          await printTask(project, id, options);
        });
      }),
    );
}

function addEnrich(group: Command): void {
  writingOptions(
    verifyOptions(
      planOptions(
        group
          .command("enrich")
          .description(
            "give a draft or a pending task pseudocode; a draft is pending then; --verify adds gates",
          )
          .argument("<id>", "the task's id", parseId)
          .argument("<pseudocode>", "how the work may go"),
      ),
    ),
  )
    .addHelpText("after", "\nExample:\n  signalbox task enrich 7 'for each order: write a line'")
    .action((id: number, pseudocode: string, options: FieldOptions & GateOptions, command: Command) =>
      guarded(() => {
        refuseIdle(options, command);
        return withProject(options, async (project) => {
          const { criteria, context_files } = fieldsOf(options);
          const { gates } = declaredBy({ ...options, criterion: [] });
          const enriching = enrichTask({ task: id, pseudocode, criteria, context_files });
          await project.decide(withGates(enriching, { task: id, gates }), options.key);
          await printTask(project, id, options);
        });
      }),
    );
}

function addDelete(group: Command): void {
  writingOptions(
    group
      .command("delete")
      .description("take a task off the board for good; its history stays, its id is never used again")
      .argument("<id>", "the task's id", parseId),
  )
    .addHelpText("after", "\nExample:\n  signalbox task delete 7")
    .action((id: number, options: CommonOptions) =>
      guarded(() =>
        withProject(options, async (project) => {
          const [event] = await project.decide(deleteTask({ task: id }), options.key);
          if (options.json) printJson({ deleted: id, position: event.position });
          else print(`Deleted task ${id}; the log keeps its history.`);
        }),
      ),
    );
}

async function printTask({ queries }: Project, id: number, { json }: CommonOptions): Promise<void> {
  const task = await queries.taskRow(id);
  if (json) printJson(task);
  else {
    print(`Task ${id} is ${task?.status}: ${quoteLine(task?.title ?? "")}`);
    for (const line of toApprove(task)) print(line);
  }
}

type ChangeOptions = FieldOptions & GateOptions & { title?: string };

/** One command is one batch: the status, the gates and the other fields together, or some of them alone. */
function changeOf(task: number, options: ChangeOptions): Decision {
  const { title, status } = options;
  const fields = { title, ...fieldsOf(options) };
  const { gates } = declaredBy({ ...options, criterion: [] });
  const parts: Decision[] = [
    ...(gates.length > 0 ? [declareGates({ task, gates })] : []),
    ...(status !== undefined ? [setTaskStatus({ task, status })] : []),
  ];
  const [first, ...others] = parts;
  const changesMore = Object.values(fields).some((value) => value !== undefined);
  return first && !changesMore
    ? together(first, ...others)
    : together(changeTask({ task, ...fields }), ...parts);
}
