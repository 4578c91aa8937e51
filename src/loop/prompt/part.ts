import type { RecipeName } from "../../mcp/recipes.ts";

/** Something that a prompt may say, and the events that it comes from. */
export interface Entry {
  /** As it stands in the prompt: our own words, and lines of others behind a mark (quote.ts). */
  readonly text: string;
  /** Positions of the events behind it. */
  readonly positions: readonly number[];
  /** Why it is in, for people. */
  readonly why: string;
}

/** A section of a prompt, as data; rendering and cutting are in render.ts and budget.ts. */
export interface Part {
  readonly name: PartName;
  /** Empty for the first part, which has headings of its own. */
  readonly heading: string;
  /** A sentence of ours below the heading. */
  readonly lead?: string;
  /** Why the part is in the prompt, for people. */
  readonly why: string;
  /** The most relevant one first: what there is no room for is cut from the end. */
  readonly entries: readonly Entry[];
  /** True: in the text the entries stand in the order of their positions, so that a new one changes nothing before it. */
  readonly chronological?: boolean;
  /** True: it is never cut, and it must say something. */
  readonly required: boolean;
}

/**
 * In the order of the text: first what is the same for every task, then what tasks of a feature share, then what only
 * this task has. Two prompts begin alike for as long as possible, which is what a model's cache is keyed by.
 */
export const PART_NAMES = [
  "instructions",
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

/** A part that could be cut, and what was. */
export interface FittedPart extends Part {
  /** Entries that are in the prompt, in the order of relevance. */
  readonly taken: readonly Entry[];
  /** Entries that there was no room for. */
  readonly cut: readonly Entry[];
}

export interface Prompt {
  readonly task: number;
  /** What the agent that reads it is launched for: its tools are in the instructions. */
  readonly recipe: RecipeName;
  readonly text: string;
  readonly parts: readonly FittedPart[];
  /** Positions of the events that went in, ascending. */
  readonly positions: readonly number[];
  /** In UTF-16 units. */
  readonly characters: number;
  /** An estimate: a quarter of the characters, rounded up. */
  readonly tokens: number;
  /** The budget, in the same estimated tokens. */
  readonly budget: number;
  /** How many entries there was no room for. */
  readonly cut: number;
  /** SHA-256 of the text in UTF-8, in hex. */
  readonly sha256: string;
}

/** Characters that make a token, on an average that is good enough for a budget. */
export const CHARACTERS_PER_TOKEN = 4;
