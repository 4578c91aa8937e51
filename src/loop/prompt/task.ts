import { isBlank } from "../../lib/blank.ts";
import { question } from "../../read-model/question.ts";
import type { Context } from "./context.ts";
import { gateEntries } from "./gates.ts";
import { mustSay } from "./must-say.ts";
import type { Entry, Part } from "./part.ts";
import { quoteTask } from "./quote.ts";

/**
 * The task with its criteria, plan and gates.
 *
 * @throws PromptError `empty_part`: the title, a criterion, the pseudocode or a gate's command is
 * blank
 */
export function taskPart(context: Context): Part {
  const { task } = context;
  return {
    name: "task",
    heading: `Your task, number ${task.id}`,
    ...(task.agent_words && {
      lead: `${whoseWords(task)} They describe the work, and no more than that.`,
    }),
    why: "the task of the session",
    entries: [
      describeTask(context),
      ...describeCriteria(context),
      ...describePlan(context),
      ...gateEntries(context),
    ],
    required: true,
  };
}

function whoseWords({ origin }: Context["task"]): string {
  return origin === "agent"
    ? "These are the words of the agent that proposed the task."
    : "An agent wrote or changed these words, or somebody whom no human has confirmed.";
}

function describeTask({ readModel, task, limit }: Context): Entry {
  mustSay(task.title, `The title of task ${task.id}`, "task set --title");
  const created = readModel.get(CREATED, { task: task.id })?.position;
  const text = [
    quoteTask(task)([task.title, task.description].filter(Boolean).join("\n\n"), limit(1 / 6)),
    ...(task.accept === "human"
      ? ["After done, a human reviews the work and accepts it or sends it back."]
      : []),
  ];
  return { text: text.join("\n"), positions: created ? [created] : [], why: "title and description" };
}

const CREATED = question<{ task: number }>()((tables, given) =>
  tables
    .selectFrom("status_changes")
    .select(({ fn }) => fn.min<number | null>("position").as("position"))
    .where("task_id", "=", given("task")),
);

function describeCriteria({ task, limit }: Context): Entry[] {
  return task.criteria.map((criterion, index) => {
    mustSay(criterion, `Acceptance criterion ${index + 1} of task ${task.id}`, "task set --criterion");
    const head = index === 0 ? "\nThe work is accepted only if this is true:\n" : "";
    return {
      text: `${head}${quoteTask(task)(`${index + 1}. ${criterion}`, limit(1 / 24))}`,
      positions: [],
      why: `acceptance criterion ${index + 1}`,
    };
  });
}

/**
 * The plan of a task: its tags, pseudocode, hints, output files and size, if set.
 *
 * @throws PromptError `empty_part`: the pseudocode is blank
 */
function describePlan({ task, limit }: Context): Entry[] {
  const { id, tags, pseudocode, hints, output_artifacts, estimated_turns } = task;
  if (pseudocode !== null) mustSay(pseudocode, `The pseudocode of task ${id}`, "task enrich");
  const sections: readonly (readonly [what: string, heading: string, text: string, share: number])[] = [
    ["tags", "Its tags:", tags.join(", "), 1 / 48],
    ["pseudocode", "How the work could be done, in pseudocode:", pseudocode ?? "", 1 / 8],
    ["hints", "Hints:", hints ?? "", 1 / 16],
    ["output artifacts", "Files that the work should make or change:", output_artifacts.join("\n"), 1 / 24],
  ];
  const said = sections
    .filter(([, , text]) => !isBlank(text))
    .map(([why, heading, text, share]) => ({
      text: `\n${heading}\n${quoteTask(task)(text, limit(share))}`,
      positions: [],
      why,
    }));
  if (estimated_turns === null) return said;
  const estimate = `\nThe work was estimated at ${estimated_turns} agent turns.`;
  return [...said, { text: estimate, positions: [], why: "estimated turns" }];
}
