import type { RecipeName } from "../../mcp/recipes.ts";

/** An entry of a prompt, and the events behind it. */
export interface Entry {
  /** The entry's text: our own words, and others' lines behind a mark (quote.ts). */
  readonly text: string;
  /** Positions of the events behind it. */
  readonly positions: readonly number[];
  /** The reason for including it, for people. */
  readonly why: string;
}

/** A section of a prompt, as data; rendering and cutting are in render.ts and budget.ts. */
export interface Part {
  readonly name: PartName;
  /** Empty for the first part, which contains its own headings. */
  readonly heading: string;
  /** Our sentence below the heading. */
  readonly lead?: string;
  /** The reason for including the part, for people. */
  readonly why: string;
  /** Most relevant first: the end is cut if there is no room. */
  readonly entries: readonly Entry[];
  /** True: the text lists entries by position, so that a new one changes nothing before it. */
  readonly chronological?: boolean;
  /** True: never cut, and must not be empty. */
  readonly required: boolean;
}

/**
 * In the order of the text: first the parts that are equal for every task, then those shared by a
 * feature's tasks, then the task's own. So prompts share the longest possible prefix, which is the
 * key of a model's cache.
 */
export const PART_NAMES = [
  "instructions",
  "repository",
  "catalogue",
  "open_tasks",
  "plan_before",
  "plan_drafts",
  "plan",
  "project_learnings",
  "feature",
  "feature_files",
  "feature_learnings",
  "discipline",
  "task",
  "stuck",
  "merge",
  "answers",
  "last_session",
  "unblocked",
  "comments",
  "agent_comments",
  "flags",
  "feature_flags",
  "task_files",
  "changed_files",
  "dependency_files",
  "task_learnings",
  "relevant_learnings",
  "session",
] as const;
export type PartName = (typeof PART_NAMES)[number];

/** The number of entries included in and cut from a part. */
export interface FittedPart extends Part {
  /** The entries in the prompt, by relevance. */
  readonly taken: readonly Entry[];
  /** The entries that did not fit. */
  readonly cut: readonly Entry[];
}

export interface Prompt {
  /** Null in a session without one. */
  readonly task: number | null;
  /** The recipe of the agent that reads it: its tools are in the instructions. */
  readonly recipe: RecipeName;
  readonly text: string;
  readonly parts: readonly FittedPart[];
  /** Positions of the source events, ascending. */
  readonly positions: readonly number[];
  /** In UTF-16 units. */
  readonly characters: number;
  /** An estimate: characters divided by 4, rounded up. */
  readonly tokens: number;
  /** The budget, in the same estimated tokens. */
  readonly budget: number;
  /** The number of entries that did not fit. */
  readonly cut: number;
  /** SHA-256 of the text in UTF-8, in hex. */
  readonly sha256: string;
}

/** Characters per token, a rough average that is good enough for a budget. */
export const CHARACTERS_PER_TOKEN = 4;
