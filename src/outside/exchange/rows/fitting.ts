import {
  LINE_LIMIT,
  name,
  type Priority,
  priorities,
  type TaskStatus,
} from "../../../events/types/fields.ts";
import { isBlank } from "../../../lib/blank.ts";
import { shorten } from "../../../lib/shorten.ts";
import { ExchangeError } from "../exchange-error.ts";

/** Our word for a foreign status, and the note about it. */
export type StatusWords = Readonly<Record<string, { readonly status: TaskStatus; readonly change?: string }>>;

/** Statuses mapped by the caller: `Review` is `pending`. */
export type StatusChoices = ReadonlyMap<string, TaskStatus>;

/** The note for work in progress elsewhere: no session of it is open here. */
export const NOBODY_WORKS = "it is in progress there, but nobody works on it here: pending";

/** @throws ExchangeError `malformed`: an unknown word */
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

/** A priority in any case; absent or unknown becomes medium, with a note. */
export function fitPriority(said: string | undefined, changes: string[]): Priority {
  if (said === undefined || said === "") return "medium";
  const known = priorities.find((priority) => priority === said.toLowerCase());
  if (!known) changes.push(`its priority "${said}" is unknown: medium`);
  return known ?? "medium";
}

/**
 * A title is one line of limited length; a longer one is cut, and kept whole at the beginning of
 * the description.
 */
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

/** The valid tags. */
export function fitTags(said: readonly string[], changes: string[]): string[] {
  const tags = [...new Set(said.map((tag) => tag.trim()))];
  const fit = tags.filter((tag) => name.safeParse(tag).success);
  if (fit.length < tags.length)
    changes.push(`${tags.length - fit.length} of its labels are not short names: left out`);
  return fit;
}

/** The note about fields that cannot be imported. */
export function leaveOut(fields: Readonly<Record<string, unknown>>, changes: string[]): void {
  const names = Object.keys(fields).filter((field) => !isEmpty(fields[field]));
  if (names.length > 0) changes.push(`left out: ${names.slice(0, 20).join(", ")}`);
}

/** Non-empty paragraphs. */
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
