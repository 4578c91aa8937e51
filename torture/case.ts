import type { Random } from "../bench/lib/random.ts";
import type { CaseName, Tracker } from "./adapter.ts";

/** One way to hurt a tracker. */
export interface Case {
  readonly name: CaseName;
  /** What is done, in one sentence. */
  readonly does: string;
  /** What must hold, in one sentence. */
  readonly holds: string;
  run(context: Context): Promise<Seen>;
}

export interface Context {
  /** Makes a new project in an empty folder. */
  open(): Promise<Project>;
  readonly random: Random;
  /** How often things are tried: 1 is a look, 10 the whole run. */
  readonly scale: number;
}

interface Project {
  readonly folder: string;
  readonly tracker: Tracker;
}

/** What a case has shown of a tool. */
export interface Seen {
  /** `not asked`: the tool has no such operation. */
  readonly result: "held" | "failed" | "not asked";
  /** What was seen, in figures. */
  readonly what: string;
}

/** `held` if there are no faults; else the first three are told. */
export function judge(tried: string, faults: readonly string[]): Seen {
  if (faults.length === 0) return { result: "held", what: tried };
  const more = faults.length > 3 ? `; and ${faults.length - 3} more` : "";
  return { result: "failed", what: `${tried}: ${faults.slice(0, 3).join("; ")}${more}` };
}

/** The id of the task with a title. @throws Error if there is not exactly one */
export async function idOf(tracker: Tracker, title: string): Promise<string> {
  const [task, ...others] = (await tracker.list()).filter((each) => each.title === title);
  if (!task || others.length > 0)
    throw new Error(`${others.length + (task ? 1 : 0)} tasks are titled ${title}`);
  return task.id;
}

/** The faults of a board that must have each acknowledged task once, and each other one once at most. */
export async function boardFaults(
  tracker: Tracker,
  acknowledged: readonly string[],
  others: readonly string[] = [],
): Promise<string[]> {
  try {
    const titles = (await tracker.list()).map(({ title }) => title);
    const timesOf = (title: string) => titles.filter((each) => each === title).length;
    return [
      ...acknowledged
        .filter((title) => timesOf(title) === 0)
        .map((title) => `acknowledged task ${title} is lost`),
      ...[...acknowledged, ...others]
        .filter((title) => timesOf(title) > 1)
        .map((title) => `task ${title} is there ${timesOf(title)} times`),
      ...titles
        .filter((title) => ![...acknowledged, ...others].includes(title))
        .map((title) => `a task "${title.slice(0, 30)}" that nobody added`),
    ];
  } catch (error) {
    return [`the board cannot be read (${firstLine(error)})`];
  }
}

/** A text for a table's cell. */
export function firstLine(error: unknown): string {
  return String(error instanceof Error ? error.message : error)
    .replace(/[\s|`│─╭╮╰╯]+/g, " ")
    .slice(0, 160)
    .trim();
}

/** `1 task`, `2 tasks`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
