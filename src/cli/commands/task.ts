import { type Command, Option } from "commander";
import type { Decision } from "../../decisions/decide.ts";
import { Refusal } from "../../decisions/refusal.ts";
import { changeTask, createTask, setTaskStatus } from "../../decisions/tasks.ts";
import { type Priority, priorities, type TaskStatus } from "../../events/types/fields.ts";
import { GATE_MAX_DEFAULT, GATE_TIMEOUT_DEFAULT_S } from "../../events/types/gates.ts";
import type { TaskDetails } from "../../projections/queries/tasks.ts";
import {
  type CommonOptions,
  collect,
  guarded,
  parseId,
  parseIds,
  parseStatus,
  readingOptions,
  withProject,
  writingOptions,
} from "../command.ts";
import { pc, print, printJson, printTable, quoteLine, quoteText } from "../output.ts";
import { repetitionLine } from "../repetition-line.ts";

export function addTask(program: Command): void {
  const group = program.command("task").description("tasks: add, change, look at them");
  addAdd(group);
  addList(group);
  addShow(group);
  addSet(group);
}

interface Fields extends CommonOptions {
  readonly description?: string;
  readonly feature?: string;
  readonly discipline?: string;
  readonly priority?: Priority;
  readonly status?: TaskStatus;
  readonly dependsOn?: number[];
  readonly accept?: "auto" | "human";
  readonly criterion?: string[];
  readonly contextFile?: string[];
}

function fieldOptions(command: Command): Command {
  return command
    .option("--description <text>", "what is to be done")
    .option("--feature <name>", "the feature that it belongs to (a new task: general)")
    .option("--discipline <name>", "what kind of agent works on it (a new task: general)")
    .addOption(
      new Option("--priority <priority>", "what comes first (a new task: medium)").choices(priorities),
    )
    .option(
      "--status <status>",
      "draft, pending, in_progress, needs_input, blocked, done, failed, skipped",
      parseStatus,
    )
    .option("--depends-on <ids>", "tasks that must be done or skipped first, e.g. 3,5", parseIds)
    .addOption(
      new Option("--accept <who>", "human: a verified done waits for you").choices(["auto", "human"]),
    )
    .option("--criterion <text>", "what must be true of the work, for the prompt (repeatable)", collect)
    .option("--context-file <path>", "a file that the agent should know (repeatable)", collect);
}

/** The fields of a task that both `add` and `set` take, under the names that decisions have for them. */
function fieldsOf({
  description,
  feature,
  discipline,
  priority,
  dependsOn: depends_on,
  accept,
  criterion: criteria,
  contextFile: context_files,
}: Fields) {
  return { description, feature, discipline, priority, depends_on, accept, criteria, context_files };
}

function addAdd(group: Command): void {
  writingOptions(
    fieldOptions(group.command("add").description("add a task").argument("<title>", "one line")).option(
      "--verify <command>",
      "a gate: a command that must pass before a done stands; 5 attempts, 300 s (repeatable)",
      collect,
    ),
  )
    .addHelpText(
      "after",
      "\nExample:\n  signalbox task add 'Export as CSV' --description 'Semicolons.' --verify 'npm test'",
    )
    .action((title: string, options: Fields & { verify?: string[] }) =>
      guarded(() =>
        withProject(options, async (project) => {
          const gates = (options.verify ?? []).map((command) => ({
            command,
            max: GATE_MAX_DEFAULT,
            timeout_s: GATE_TIMEOUT_DEFAULT_S,
          }));
          const task = { ...fieldsOf(options), title, status: options.status, gates };
          const [event] = await project.decide(createTask(task), options.key);
          const id = event?.type === "task.created" ? event.payload.task : 0;
          if (options.json) printJson(await project.queries.taskRow(id));
          else print(`Added task ${id}: ${quoteLine(title)}`);
        }),
      ),
    );
}

function addList(group: Command): void {
  readingOptions(
    group
      .command("list", { isDefault: true })
      .description("list tasks in the order of their ids")
      .option("--status <status>", "only those with this status", parseStatus)
      .option("--feature <name>", "only those of this feature")
      .option("--discipline <name>", "only those of this discipline"),
  )
    .addHelpText("after", "\nExample:\n  signalbox task list --status pending --json")
    .action((options: Fields) =>
      guarded(() =>
        withProject(options, async ({ queries }) => {
          const tasks = await queries.tasks(options);
          if (options.json) printJson(tasks);
          else
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
        }),
      ),
    );
}

function addShow(group: Command): void {
  readingOptions(
    group
      .command("show")
      .description("show a task: its fields, gates, status changes and timeline")
      .argument("<id>", "the task's id", parseId),
  )
    .addHelpText("after", "\nExample:\n  signalbox task show 7")
    .action((id: number, options: CommonOptions) =>
      guarded(() =>
        withProject(options, async ({ queries }) => {
          const task = await queries.task(id);
          if (!task)
            throw new Refusal(
              "not_found",
              `There is no task ${id}; \`signalbox task list\` shows those there are.`,
            );
          if (options.json) printJson(task);
          else showTask(task);
        }),
      ),
    );
}

function addSet(group: Command): void {
  writingOptions(
    fieldOptions(
      group
        .command("set")
        .description("change a task, its status too")
        .argument("<id>", "the task's id", parseId),
    ).option("--title <text>"),
  )
    .addHelpText("after", "\nExample:\n  signalbox task set 7 --priority high --depends-on 3,5")
    .action((id: number, options: Fields & { title?: string }) =>
      guarded(() =>
        withProject(options, async (project) => {
          await project.decide(changeOf(id, options), options.key);
          const task = await project.queries.taskRow(id);
          if (options.json) printJson(task);
          else print(`Task ${id} is ${task?.status}: ${quoteLine(task?.title ?? "")}`);
        }),
      ),
    );
}

/** One command is one batch: the status and the other fields together, or one of them alone. */
function changeOf(task: number, options: Fields & { title?: string }): Decision {
  const { title, status } = options;
  const fields = { title, ...fieldsOf(options) };
  const change = changeTask({ task, ...fields });
  if (status === undefined) return change;
  const set = setTaskStatus({ task, status });
  if (Object.values(fields).every((value) => value === undefined)) return set;
  return {
    ...change,
    input: { ...change.input, ...set.input },
    plan: (state) => [...change.plan(state), ...set.plan(state)],
  };
}

function showTask(task: TaskDetails): void {
  print(`${pc.bold(`#${task.id} ${quoteLine(task.title, 200)}`)}${task.origin === "agent" ? " 🤖" : ""}`);
  print(`${task.ready ? "ready" : task.status} · ${task.priority} · ${task.feature} · ${task.discipline}`);
  if (task.depends_on.length > 0) print(`depends on ${task.depends_on.join(", ")}`);
  if (task.stuck_count > 0) print(`stuck ${task.stuck_count} times`);
  for (const repetition of task.repetitions.filter(({ lasts }) => lasts)) {
    print(pc.yellow(repetitionLine(repetition, repetition.id)));
  }
  if (task.description !== "") print(`\n${quoteText(task.description)}`);
  for (const gate of task.gates) {
    print(
      `\ngate ${gate.gate} ${gate.state} (${gate.attempts}/${gate.max_attempts}): ${quoteLine(gate.command)}`,
    );
  }
  print(`\n${pc.dim("status changes")}`);
  for (const change of task.status_changes) {
    const from = change.from_status === null ? "" : `${change.from_status} → `;
    print(
      `  ${pc.dim(change.created.slice(0, 19))}  ${from}${change.to_status}  (${change.rule}; positions ${JSON.parse(change.causes).join(", ")})`,
    );
  }
  if (task.timeline.length > 0) print(`\n${pc.dim("timeline")}`);
  for (const entry of task.timeline) {
    print(`  ${pc.dim(entry.created.slice(0, 19))}  ${pc.cyan(quoteLine(entry.author, 20))}`);
    print(quoteText(entry.body).replace(/^/gm, "    "));
  }
}
