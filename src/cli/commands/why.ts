import { type Command, InvalidArgumentError } from "commander";
import { Refusal } from "../../decisions/refusal.ts";
import { noSuchTask, requireSession, stateOf } from "../../decisions/state.ts";
import type { Project } from "../../project/project.ts";
import { catchUp } from "../../projections/worker.ts";
import { type ItemReasons, whyItem } from "../../replay/why/item.ts";
import { whyLearning } from "../../replay/why/learning.ts";
import { type PromptReasons, whyPrompt } from "../../replay/why/prompt.ts";
import { whySession } from "../../replay/why/session.ts";
import { whyTask } from "../../replay/why/task.ts";
import { print, printJson } from "../../terminal/output.ts";
import {
  type CommonOptions,
  guarded,
  parseId,
  readingOptions,
  readModelPath,
  withProject,
} from "../command.ts";
import { eventsOfLine, lineOfPrompt } from "../prompt-line.ts";
import { itemLines } from "../why-item-lines.ts";
import { taskLines } from "../why-lines.ts";

export function addWhy(program: Command): void {
  const group = program.command("why").description("explain a status or outcome by its rules and events");
  readingOptions(
    group
      .command("task", { isDefault: true })
      .description("explain a task's status, back to when it was added, and what it needs to change")
      .argument("<task>", "the task's id", parseTask)
      .option("--last <changes>", "only this many of its latest status changes", parseId),
  )
    .addHelpText("after", "\nExample:\n  signalbox why 7")
    .allowExcessArguments()
    .action((id: number, options: TaskOptions, command: Command) => {
      // Not before `parseTask` has said what it does not know in `why qestion 7`.
      const [, extra] = command.args;
      if (extra !== undefined)
        command.error(`error: \`why\` explains one task at a time; leave out "${extra}".`);
      return explain(options, async ({ store, log }) => {
        const reasons = await whyTask(store.readModel, log, id, { last: options.last });
        if (!reasons) throw noSuchTask(stateOf(store.readModel), id);
        return { reasons, lines: () => taskLines(reasons) };
      });
    });
  for (const kind of ["question", "blocker", "suggestion"] as const) addWhyItem(group, kind);
  addWhyLearning(group);
  addWhySession(group);
  addWhyPrompt(group);
}

function addWhyItem(group: Command, kind: ItemReasons["kind"]): void {
  readingOptions(
    group
      .command(kind)
      .description(`explain the state of a ${kind}, and the status changes it caused`)
      .argument("<id>", "its number: the position of its signal", parseId),
  )
    .addHelpText("after", `\nExample:\n  signalbox why ${kind} 41`)
    .action((id: number, options: CommonOptions) =>
      explain(options, async ({ store, log }) => {
        const reasons = await whyItem(store.readModel, log, { kind, id });
        if (!reasons) throw none(kind, id, `signalbox log list --type signal.${VERBS[kind]}`);
        return { reasons, lines: () => itemLines(reasons) };
      }),
    );
}

const VERBS = { question: "ask", blocker: "blocked", suggestion: "suggest" } as const;

function addWhyLearning(group: Command): void {
  readingOptions(
    group
      .command("learning")
      .description(
        "show where a learning comes from, what was decided about it, and which prompts contained it",
      )
      .argument("<id>", "the position of any report of this learning", parseId),
  )
    .addHelpText("after", "\nExample:\n  signalbox why learning 43")
    .action((id: number, options: CommonOptions) =>
      explain(options, async ({ store, log }) => {
        const reasons = await whyLearning(store.readModel, log, id);
        if (!reasons) throw none("learning", id, "signalbox learning list");
        return { reasons, lines: () => itemLines(reasons) };
      }),
    );
}

function addWhySession(group: Command): void {
  readingOptions(
    group
      .command("session")
      .description("explain a session's outcome, and the status changes it caused")
      .argument("<session>", "the session's id"),
  )
    .addHelpText("after", "\nExample:\n  signalbox why session s-1")
    .action((id: string, options: CommonOptions) =>
      explain(options, async ({ store, log }) => {
        requireSession(stateOf(store.readModel), id);
        const reasons = await whySession(store.readModel, log, id);
        return { reasons, lines: () => (reasons ? itemLines(reasons) : []) };
      }),
    );
}

interface TaskOptions extends CommonOptions {
  readonly last?: number;
}

interface PromptOptions extends CommonOptions {
  readonly line?: string;
}

function addWhyPrompt(group: Command): void {
  readingOptions(
    group
      .command("prompt")
      .description("show the events that a session's prompt, or one line of it, was built from")
      .argument("<session>", "the session's id")
      .option("--line <line>", "one line: its text, or its number while the prompt file exists"),
  )
    .addHelpText("after", "\nExample:\n  signalbox why prompt s-1 --line 'Use tabs.'")
    .action((session: string, options: PromptOptions) =>
      explain(options, async ({ store, log }) => {
        requireSession(stateOf(store.readModel), session);
        const whole = await whyPrompt(store.readModel, log, session);
        if (!whole) {
          throw new Refusal(
            "not_found",
            `No prompt is recorded for session ${session}: signalbox built none for it.`,
          );
        }
        const reasons =
          options.line === undefined ? whole : await ofLine({ store, log }, whole, options.line, options);
        return { reasons, lines: () => (reasons ? itemLines(reasons) : []) };
      }),
    );
}

async function ofLine(
  { store, log }: Pick<Project, "store" | "log">,
  whole: PromptReasons,
  asked: string,
  options: CommonOptions,
): Promise<PromptReasons | undefined> {
  const path = readModelPath(options);
  const line = lineOfPrompt(path, whole, asked);
  const madeOf = await eventsOfLine(path, log, whole, line);
  return await whyPrompt(store.readModel, log, whole.session, { line, madeOf });
}

/** Prints what `ask` finds, which sees the state at the head of the log. */
async function explain(
  options: CommonOptions,
  ask: (project: Project) => Promise<{ readonly reasons: unknown; lines(): string[] }>,
): Promise<void> {
  await guarded(() =>
    withProject(options, async (project) => {
      await catchUp(project.store.readModel, project.log);
      const { reasons, lines } = await ask(project);
      if (options.json) printJson(reasons);
      else for (const line of lines()) print(line);
    }),
  );
}

function none(kind: string, id: number, command: string): Refusal {
  return new Refusal("not_found", `There is no ${kind} ${id}. Run \`${command}\` to see all.`);
}

function parseTask(text: string): number {
  if (/^\D/.test(text)) {
    throw new InvalidArgumentError(
      "It must be a task number such as 7, or one of question, blocker, suggestion, learning, session and prompt with its number or name.",
    );
  }
  return parseId(text);
}
