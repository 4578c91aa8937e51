import type { Entry, FittedPart, Part, PartName } from "./part.ts";
import { CHARACTERS_PER_TOKEN } from "./part.ts";
import { PromptError } from "./prompt-error.ts";
import { entrySize, openingSize } from "./render.ts";

/**
 * The parts that may be cut, most important first, each with the share of the room reserved for it;
 * unused room goes to the parts in the same order.
 */
const SHARES: readonly (readonly [PartName, number])[] = [
  ["repository", 0.5],
  ["catalogue", 0.2],
  ["plan_drafts", 0.3],
  ["open_tasks", 0.3],
  ["comments", 0.15],
  ["unblocked", 0.1],
  ["flags", 0.15],
  ["task_learnings", 0.1],
  ["agent_comments", 0.05],
  ["feature_learnings", 0.1],
  ["project_learnings", 0.1],
  ["feature_flags", 0.05],
  ["task_files", 0.05],
  ["feature_files", 0.05],
  ["changed_files", 0.05],
  ["dependency_files", 0.05],
];

/**
 * Chooses the entries: all required ones, then as many of the other parts as fit, most relevant
 * first within each part. Keeps the order of the parts.
 *
 * @param reserve characters to keep free, if there are so many
 * @throws PromptError `too_large`: the required parts do not fit
 */
export function fitParts(
  parts: readonly Part[],
  characters: number,
  { task, reserve }: { task: number | null; reserve: number },
): FittedPart[] {
  const required = parts.filter((part) => part.required);
  let room = characters - sum(required.map(sizeOf));
  if (room < 0) throw tooLarge(required, characters, task);
  room -= reserve;
  const taken = new Map<Part, Entry[]>();
  const inOrder = SHARES.flatMap(([name, share]) =>
    parts
      .filter((part) => part.name === name && !part.required)
      .map((part) => ({ part, most: share * room })),
  );
  const fill = (part: Part, most: number): void => {
    const entries = taken.get(part) ?? [];
    let used = sum(entries.map(entrySize)) + (entries.length > 0 ? openingSize(part) : 0);
    for (const entry of part.entries.slice(entries.length)) {
      const size = entrySize(entry) + (entries.length === 0 ? openingSize(part) : 0);
      if (size > room || used + size > most) break;
      entries.push(entry);
      used += size;
      room -= size;
    }
    taken.set(part, entries);
  };
  for (const { part, most } of inOrder) fill(part, most);
  for (const { part } of inOrder) fill(part, characters);
  return parts.map((part) => {
    const entries = part.required ? part.entries : (taken.get(part) ?? []);
    return { ...part, taken: entries, cut: part.entries.slice(entries.length) };
  });
}

function sizeOf(part: Part): number {
  return part.entries.length === 0 ? 0 : openingSize(part) + sum(part.entries.map(entrySize));
}

function tooLarge(required: readonly Part[], characters: number, task: number | null): PromptError {
  const tokens = (size: number) => Math.ceil(size / CHARACTERS_PER_TOKEN);
  const sizes = required
    .filter(({ entries }) => entries.length > 0)
    .map((part) => [part.name, sizeOf(part)] as const);
  const list = sizes.map(([name, size]) => `${name} ${tokens(size)}`).join(", ");
  return new PromptError(
    "too_large",
    `The prompt of ${task === null ? "the plan" : `task ${task}`} takes about ${tokens(sum(sizes.map(([, size]) => size)))} tokens ` +
      `without anything that could be cut (${list}); the budget is ${tokens(characters)}. Raise the ` +
      `budget with --tokens or prompt.tokens in .ralph/config.json, or shorten ${task === null ? "the text" : "the task"}.`,
  );
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
