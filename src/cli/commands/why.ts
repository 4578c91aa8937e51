import type { Command } from "commander";
import { z } from "zod";
import type { Project } from "../../api/project.ts";
import { Refusal } from "../../decisions/refusal.ts";
import { noSuchTask, requireSession, stateOf } from "../../decisions/state.ts";
import { position } from "../../events/types/fields.ts";
import { type ItemReasons, whyItem } from "../../history/why/item.ts";
import { whyLearning } from "../../history/why/learning.ts";
import { whyPrompt } from "../../history/why/prompt.ts";
import { whyTask } from "../../history/why/task.ts";
import { whySession } from "../../history/why/why-session.ts";
import { print, printJson } from "../../lib/terminal/output.ts";
import type { CommandWords } from "../../operations/command-words.ts";
import { catchUp } from "../../read-model/worker.ts";
import {
  type CommonOptions,
  guarded,
  parseId,
  readingOptions,
  readModelPath,
  withProject,
} from "../making/command.ts";
import { addCommands } from "../making/operation-commands.ts";
import { defineCommand } from "../making/project-command.ts";
import { eventsOfLine, lineOfPrompt } from "../printing/prompt-line.ts";
import { itemLines } from "../printing/why-item-lines.ts";
import { taskLines } from "../printing/why-lines.ts";

/** Written for commander: `why` alone, which refuses a second number in its own words. */
export function addWhy(program: Command): void {
  const group = program.command("why").description("explain a status or outcome by its rules and events");
  readingOptions(
    group
      .command("task", { isDefault: true })
      .description("explain a task's status, back to when it was added, and what it needs to change")
      .argument("<task>", "the task's id", parseId)
      .option("--last <changes>", "only this many of its latest status changes", parseId),
  )
    .addHelpText("after", "\nExample:\n  signalbox why 7")
    .allowExcessArguments()
    .action((id: number, options: TaskOptions, command: Command) => {
      const [, extra] = command.args;
      if (extra !== undefined)
        command.error(`error: \`why\` explains one task at a time; leave out "${extra}".`);
      return guarded(() =>
        withProject(options, async ({ store: { readModel }, log }) => {
          await catchUp(readModel, log);
          const reasons = await whyTask(readModel, log, id, { last: options.last });
          if (!reasons) throw noSuchTask(stateOf(readModel), id);
          if (options.json) printJson(reasons);
          else for (const line of taskLines(reasons)) print(line);
        }),
      );
    });
  for (const kind of ["question", "blocker", "suggestion"] as const) addCommands(group, itemCommand(kind));
  for (const one of [learning, session, prompt]) addCommands(group, one);
}

interface TaskOptions extends CommonOptions {
  readonly last?: number;
}

function itemCommand(kind: ItemReasons["kind"]) {
  return explanation(z.strictObject({ id: position }), {
    async ask({ store, log }, { id }) {
      const reasons = await whyItem(store.readModel, log, { kind, id });
      if (!reasons) throw none(kind, id, `signalbox log list --type signal.${VERBS[kind]}`);
      return reasons;
    },
    name: kind,
    does: `explain the state of a ${kind}, and the status changes it caused`,
    takes: { id: ["<id>", "its number: the position of its signal"] },
    example: "41",
  });
}

const VERBS = { question: "ask", blocker: "blocked", suggestion: "suggest" } as const;

const learning = explanation(z.strictObject({ id: position }), {
  async ask({ store, log }, { id }) {
    const reasons = await whyLearning(store.readModel, log, id);
    if (!reasons) throw none("learning", id, "signalbox learning list");
    return reasons;
  },
  name: "learning",
  does: "show where a learning comes from, what was decided about it, and which prompts contained it",
  takes: { id: ["<id>", "the position of any report of this learning"] },
  example: "43",
});

const SESSION = ["<session>", "the session's id"] as const;

const session = explanation(z.strictObject({ session: z.string() }), {
  ask({ store, log }, { session }) {
    requireSession(stateOf(store.readModel), session);
    return whySession(store.readModel, log, session);
  },
  name: "session",
  does: "explain a session's outcome, and the status changes it caused",
  takes: { session: SESSION },
  example: "s-1",
});

const prompt = explanation(z.strictObject({ session: z.string(), line: z.string().optional() }), {
  async ask({ store, log }, { session, line: asked }, options) {
    requireSession(stateOf(store.readModel), session);
    const whole = await whyPrompt(store.readModel, log, session);
    if (!whole) {
      throw new Refusal(
        "not_found",
        `No prompt is recorded for session ${session}: signalbox built none for it.`,
      );
    }
    if (asked === undefined) return whole;
    const path = readModelPath(options);
    const line = lineOfPrompt(path, whole, asked);
    const madeOf = await eventsOfLine(path, log, whole, line);
    return whyPrompt(store.readModel, log, session, { line, madeOf });
  },
  name: "prompt",
  does: "show the events that a session's prompt, or one line of it, was built from",
  takes: {
    session: SESSION,
    line: ["--line <line>", "one line: its text, or its number while the prompt file exists"],
  },
  example: "s-1 --line 'Use tabs.'",
});

/** A command that explains something by what `ask` finds, which sees the state at the head of the log. */
function explanation<Input extends z.ZodObject, Reasons extends Parameters<typeof itemLines>[0]>(
  input: Input,
  {
    ask,
    ...words
  }: Pick<CommandWords<z.input<Input>, unknown>, "name" | "does" | "takes" | "example"> & {
    ask(project: Project, given: z.input<Input>, options: CommonOptions): Promise<Reasons | undefined>;
  },
) {
  return defineCommand({
    input,
    options: readingOptions,
    async run(project, given: z.input<Input>, options) {
      await catchUp(project.store.readModel, project.log);
      return ask(project, given, options);
    },
    command: { ...words, says: (reasons: Reasons) => itemLines(reasons) },
  });
}

function none(kind: string, id: number, command: string): Refusal {
  return new Refusal("not_found", `There is no ${kind} ${id}. Run \`${command}\` to see all.`);
}
