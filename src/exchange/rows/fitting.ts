import { isBlank } from "../../events/blank.ts";
import { LINE_LIMIT, name, type Priority, priorities, type TaskStatus } from "../../events/types/fields.ts";
import { shorten } from "../../lib/shorten.ts";
import { ExchangeError } from "../exchange-error.ts";

/** What a foreign word for a status is here, and what is to be said of that. */
export type StatusWords = Readonly<Record<string, { readonly status: TaskStatus; readonly change?: string }>>;

/** Statuses that the caller has given a meaning: `Review` is `pending`. */
export type StatusChoices = ReadonlyMap<string, TaskStatus>;

/** Said of work that is under way elsewhere: no session of it is open here. */
export const NOBODY_WORKS = "it is in progress there, but nobody works on it here: pending";

/** @throws ExchangeError `malformed`: a word that nobody knows */
export function fitStatus(
  said: string,
  words: StatusWords,
  choices: StatusChoices,
  changes: string[],
): TaskStatus {
  const chosen = choices.get(said);
  if (chosen !== undefined) return chosen;
  const known = Object.hasOwn(words, said.toLowerCase()) ? words[said.toLowerCase()] : undefined;
  if (!known) {
    throw new ExchangeError(
      "malformed",
      `its status "${said}" is unknown; known are ${Object.keys(words).join(", ")}. Map it, for example with --status "${said}=pending"`,
    );
  }
  if (known.change !== undefined) changes.push(known.change);
  return known.status;
}

/** A word for a priority, in any letter case; absent or unknown: medium, and that is said. */
export function fitPriority(said: string | undefined, changes: string[]): Priority {
  if (said === undefined || said === "") return "medium";
  const known = priorities.find((priority) => priority === said.toLowerCase());
  if (!known) changes.push(`its priority "${said}" is unknown: medium`);
  return known ?? "medium";
}

/** A title is one line of limited length; what is too long stands whole at the beginning of the description. */
export function fitTitle(
  said: string,
  description: string,
  changes: string[],
): { readonly title: string; readonly description: string } {
  const line =
    said
      .split(/\r\n|\n|\r/)
      .find((part) => !isBlank(part))
      ?.trim() ?? "";
  if (line === said.trim() && line.length <= LINE_LIMIT) return { title: line, description };
  changes.push(
    "its title is not one line of at most 500 characters: shortened, and in full in the description",
  );
  return { title: shorten(line, LINE_LIMIT), description: joined(said.trim(), description) };
}

/** Tags that can be tags. */
export function fitTags(said: readonly string[], changes: string[]): string[] {
  const tags = [...new Set(said.map((tag) => tag.trim()))];
  const fit = tags.filter((tag) => name.safeParse(tag).success);
  if (fit.length < tags.length)
    changes.push(`${tags.length - fit.length} of its labels are not short names: left out`);
  return fit;
}

/** Says which fields have no place here. */
export function leaveOut(fields: Readonly<Record<string, unknown>>, changes: string[]): void {
  const names = Object.keys(fields).filter((field) => !isEmpty(fields[field]));
  if (names.length > 0) changes.push(`left out: ${names.slice(0, 20).join(", ")}`);
}

/** Paragraphs, without those that are empty. */
export function joined(...parts: readonly (string | undefined)[]): string {
  return parts
    .map((part) => part?.trim())
    .filter((part) => part)
    .join("\n\n");
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === "" || value === false || value === 0) return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}
