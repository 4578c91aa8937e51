import { type Command, InvalidArgumentError, Option } from "commander";
import { addComment as add, changeComment, deleteComment } from "../../decisions/comments.ts";
import { noSuchTask, stateOf } from "../../decisions/state.ts";
import { type Priority, priorities } from "../../events/types/fields.ts";
import {
  type CommonOptions,
  guarded,
  parseId,
  readingOptions,
  withProject,
  writingOptions,
} from "../command.ts";
import { print, printJson, printTable, quoteLine } from "../output.ts";

/** `comment TASK TEXT` adds one: the group's default is a command with arguments, and no command's name is a number. */
export function addComment(program: Command): void {
  const group = program
    .command("comment")
    .description("comments on tasks; they are shown in the timeline and go into the next prompt")
    .addHelpText("after", EXAMPLE);
  addAdd(group);
  addList(group);
  addEdit(group);
  addDelete(group);
}

const EXAMPLE = "\nExample:\n  signalbox comment 7 'Also test unicode URLs please.'";

interface Fields extends CommonOptions {
  readonly author: string;
  readonly discipline?: string;
  readonly priority?: Priority;
}

function addAdd(group: Command): void {
  writingOptions(
    group
      .command("add", { isDefault: true })
      .description("write a comment on a task; `add` may be left out")
      .argument("<task>", "the task's id", parseTask)
      .argument("<text>", "markdown")
      .option("--author <name>", "whose comment it is", "human")
      .option("--discipline <name>", "for which discipline it is written")
      .addOption(new Option("--priority <priority>", "what is urgent").choices(priorities)),
  )
    .addHelpText("after", EXAMPLE)
    // So that a misspelt command is told by the parser of the task, which names the commands, and not as too many arguments.
    .allowExcessArguments(true)
    .hook("preAction", (_group, command) => {
      if (command.args.length > 2) group.error("error: the text is one argument; put it in quotes");
    })
    .action((task: number, body: string, options: Fields) =>
      guarded(() =>
        withProject(options, async (project) => {
          const { author, discipline, priority } = options;
          const comment = { task, author, body, discipline, priority };
          const [event] = await project.decide(add(comment), options.key);
          if (options.json) printJson({ id: event.position, ...comment });
          else print(`Commented on task ${task}: comment ${event.position}.`);
        }),
      ),
    );
}

function addList(group: Command): void {
  readingOptions(
    group
      .command("list")
      .description("list the comments on a task, with their present words")
      .argument("<task>", "the task's id", parseId),
  )
    .addHelpText("after", "\nExample:\n  signalbox comment list 7 --json")
    .action((task: number, options: CommonOptions) =>
      guarded(() =>
        withProject(options, async ({ queries, store }) => {
          if (!(await queries.taskRow(task))) throw noSuchTask(stateOf(store.readModel), task);
          const comments = await queries.comments(task);
          if (options.json) printJson(comments);
          else
            printTable(
              ["comment", "author", "by", "priority", "text"],
              comments.map(({ id, author, actor, priority, body }) => [
                id,
                quoteLine(author, 20),
                quoteLine(actor, 12),
                priority,
                quoteLine(body),
              ]),
            );
        }),
      ),
    );
}

function addEdit(group: Command): void {
  commentArguments(group.command("edit").description("give a comment other words"))
    .argument("<text>", "markdown")
    .addHelpText("after", "\nExample:\n  signalbox comment edit 7 31 'Also test IDN URLs please.'")
    .action((task: number, comment: number, body: string, options: CommonOptions) =>
      guarded(() =>
        withProject(options, async (project) => {
          await project.decide(changeComment({ task, comment, body }), options.key);
          if (options.json)
            printJson((await project.queries.comments(task)).find(({ id }) => id === comment));
          else print(`Changed comment ${comment} on task ${task}.`);
        }),
      ),
    );
}

function addDelete(group: Command): void {
  commentArguments(
    group
      .command("delete")
      .description("take a comment out of the timeline and of prompts; the log keeps it"),
  )
    .addHelpText("after", "\nExample:\n  signalbox comment delete 7 31")
    .action((task: number, comment: number, options: CommonOptions) =>
      guarded(() =>
        withProject(options, async (project) => {
          await project.decide(deleteComment({ task, comment }), options.key);
          if (options.json) printJson({ deleted: comment, task });
          else print(`Deleted comment ${comment} on task ${task}.`);
        }),
      ),
    );
}

function commentArguments(command: Command): Command {
  return writingOptions(
    command
      .argument("<task>", "the task's id", parseId)
      .argument("<comment>", "the comment's id; `comment list` shows it", parseId),
  );
}

/** Where `add` is left out, a misspelt command stands in the place of the task. */
function parseTask(text: string): number {
  if (/^[1-9]\d*$/.test(text)) return parseId(text);
  throw new InvalidArgumentError("It must be a task's id, or one of add, list, edit, delete.");
}
