import type { InputOf } from "../../../server/acts/index.ts";
import type { AnswerOf } from "../../../server/answers/index.ts";

/** A task's fields as texts, as the form shows them and keeps them as a draft. */
export type Texts = Readonly<Record<(typeof fieldNames)[number], string>>;

/** In the order of the form. */
export const fieldNames = [
  ...(["title", "description", "priority", "feature", "discipline", "gates"] as const),
  ...(["depends_on", "criteria", "tags", "hints", "accept"] as const),
];

type TaskFields = NonNullable<AnswerOf<"task_form">["fields"]>;

/** The gates of a task never change: the form adds some. */
export function textsOf({ criteria, tags, depends_on, hints, gates: _, ...fields }: TaskFields): Texts {
  return {
    ...fields,
    gates: "",
    depends_on: depends_on.join(","),
    criteria: entriesText(criteria),
    tags: entriesText(tags),
    hints: hints ?? "",
  };
}

/** The changed fields as an action takes them. */
export function inputOf(changes: Partial<Texts>): Omit<InputOf<"change_task">, "task"> {
  const { gates, depends_on, criteria, tags, accept, priority, ...texts } = changes;
  return {
    ...texts,
    ...(gates !== undefined && { gates: linesIn(gates) }),
    ...(depends_on !== undefined && { depends_on: idsIn(depends_on) }),
    ...(criteria !== undefined && { criteria: entriesIn(criteria) }),
    ...(tags !== undefined && { tags: entriesIn(tags) }),
    // The server checks the words that a draft may hold.
    ...(accept !== undefined && { accept: accept as TaskFields["accept"] }),
    ...(priority !== undefined && { priority: priority as TaskFields["priority"] }),
  };
}

/** The task numbers in the text of `depends_on`. */
export function idsIn(text: string): number[] {
  return text === "" ? [] : text.split(",").map(Number);
}

function linesIn(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
}

/** An entry on each line; the further lines of an entry are indented. */
function entriesText(entries: readonly string[]): string {
  return entries.map((entry) => entry.replaceAll("\n", "\n  ")).join("\n");
}

function entriesIn(text: string): string[] {
  return text
    .split(/\n(?! )/)
    .map((entry) => entry.replaceAll(/\n {1,2}/g, "\n").trim())
    .filter((entry) => entry !== "");
}
