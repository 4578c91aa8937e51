import { planName } from "../../events/types/plans.ts";
import type { Plan } from "../../projections/board/tables.ts";
import { listDisciplines, listFeatures } from "../../queries/catalogue.ts";
import { findPlan } from "../../queries/plans.ts";
import { listTasks } from "../../queries/tasks.ts";
import type { ReadModel } from "../../read-model/read-model.ts";
import { promptOf } from "../prompt/build.ts";
import { READING } from "../prompt/instructions.ts";
import { CHARACTERS_PER_TOKEN, type Entry, type Part, type Prompt } from "../prompt/part.ts";
import { inLine, quoteAgent, quoteHuman } from "../prompt/quote.ts";
import type { RepositoryFacts } from "./repository.ts";

/**
 * The prompt of a planning session: the human's text, what the repository is, what the board has, and what a good task is. The same
 * position and the same repository give the same prompt, byte for byte.
 *
 * @throws PromptError `too_large`
 */
export function planPrompt(
  readModel: ReadModel,
  { plan, session, tokens }: { readonly plan: Plan; readonly session: string; readonly tokens: number },
  repository: RepositoryFacts,
): Prompt {
  const parts: Part[] = [
    required("instructions", "", "how to read the prompt and how to plan", [ours(instructions())]),
    part("repository", "The repository", "what is there already", repositoryEntries(repository)),
    part("catalogue", "Features and disciplines", "what tasks can be of", catalogueEntries(readModel)),
    part("open_tasks", "Open tasks", "what need not be proposed again", taskEntries(readModel)),
    ...againParts(readModel, plan),
    required("plan", "What is to be planned", "what the human wrote", [
      { text: quoteHuman(plan.text, TEXT_LIMIT), positions: [plan.begun], why: "the human's text" },
    ]),
    required("session", "Your session", "which session reads it", [
      ours(
        [
          `Your sessionId is ${inLine(session)}; what you propose is ${planName(plan.plan)}.`,
          ...(plan.feature === null ? [] : [`Make its tasks of the feature \`${inLine(plan.feature)}\`.`]),
        ].join("\n"),
      ),
    ]),
  ];
  // What the human wrote is on top of what a prompt may have.
  const budget =
    tokens +
    Math.ceil(
      parts.reduce((sum, one) => sum + (WRITTEN.has(one.name) ? sizeOf(one) : 0), 0) / CHARACTERS_PER_TOKEN,
    );
  return promptOf(parts, { task: null, recipe: "braindump", budget });
}

/** The parts whose length the human decides. */
const WRITTEN: ReadonlySet<Part["name"]> = new Set(["plan", "plan_before"]);

function sizeOf({ entries }: Part): number {
  return entries.reduce((sum, { text }) => sum + text.length + 1, 0);
}

/** A human's text is never cut: the event's own limit holds. */
const TEXT_LIMIT = 1_000_000;

function ours(text: string): Entry {
  return { text, positions: [], why: "always" };
}

function part(name: Part["name"], heading: string, why: string, entries: readonly Entry[]): Part {
  return { name, heading, why, entries, required: false };
}

function required(...of: Parameters<typeof part>): Part {
  return { ...part(...of), required: true };
}

function instructions(): string {
  return `# How you work

You plan, in one session, and change no file. What you propose with the tools of the MCP server \`ralph\` is shown to a human, who
approves all of it, some of it, or none; nothing else of this session is kept. Nobody answers while you work.

${READING}

# How to plan

1. Read what you need of the repository, to know what is there and how it is tested.
2. create_feature and create_discipline, only where none of those below fits.
3. create_task for each task, those first that others depend on: its answer has the task's id.
4. Stop. There is nothing to close.

Proposing the same thing twice makes no second task.

# What a good task is

- One session's work of one agent, a few files, which somebody can review: about ${GOOD_TURNS} turns.
- Its description says what must be true when it is done, and why; not each step.
- verify has the commands that fail now and pass when it is done: tests of what is new, by the project's own way to run them. A command
  that passes already proves nothing. Where no command can tell, acceptance_criteria say what a reviewer looks for.
- depends_on has the tasks whose result it builds on. Two tasks that change the same file depend on each other, in one direction.
- context_files are there now; output_artifacts are the files that it makes or changes.`;
}

const GOOD_TURNS = "20 to 60";

function repositoryEntries({ readme, tree, languages, commands }: RepositoryFacts): Entry[] {
  return [
    ...fact(
      "Commands that build and test it:",
      commands.map(({ command, from }) => `${command}   (${from})`).join("\n"),
    ),
    ...fact("Files by ending:", languages.join(", ")),
    ...fact("Its files, to two levels:", tree.join("\n")),
    ...fact("How its README begins:", readme),
  ];
}

/** What stands in files is data. */
function fact(heading: string, text: string): Entry[] {
  return text === ""
    ? []
    : [{ text: `${heading}\n${quoteAgent(text, FACT_LIMIT)}`, positions: [], why: "the repository" }];
}

const FACT_LIMIT = 8_000;

function catalogueEntries(readModel: ReadModel): Entry[] {
  const entry = (
    kind: string,
    { name, id, description }: { name: string; id: number; description: string },
  ): Entry => ({
    text: quoteAgent(`${kind} ${name}: ${description}`, 300),
    positions: [id],
    why: kind,
  });
  return [
    ...listFeatures(readModel).map((one) => entry("feature", one)),
    ...listDisciplines(readModel).map((one) => entry("discipline", one)),
  ];
}

function taskEntries(readModel: ReadModel): Entry[] {
  return listTasks(readModel)
    .filter(({ status }) => status !== "done" && status !== "skipped")
    .map(({ id, title, status, feature }) => ({
      text: quoteAgent(`${id} ${title} (${status}, ${feature})`, 300),
      positions: [],
      why: "an open task",
    }));
}

/** What was proposed before, of the same. */
function againParts(readModel: ReadModel, { again }: Plan): Part[] {
  const before = again === null ? undefined : findPlan(readModel, again);
  if (!before) return [];
  const drafts = before.proposed.map(({ id, title, description }) => ({
    text: quoteAgent(`${id} ${title}\n${description}`, 1_000),
    positions: [],
    why: "a draft that was not approved",
  }));
  const text = {
    text: quoteHuman(before.text, TEXT_LIMIT),
    positions: [before.begun],
    why: "the first text",
  };
  return [
    required("plan_before", `${planName(before.plan)}, which this replaces`, "what was asked first", [text]),
    part("plan_drafts", "Its drafts that were not approved", "what was proposed first", drafts),
  ];
}
