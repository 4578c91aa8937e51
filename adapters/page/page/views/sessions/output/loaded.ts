import type { AnswerOf } from "../../../../server/answers/index.ts";

type Answer = AnswerOf<"session_output">;
export type OutputEntry = NonNullable<Answer["page"]>["entries"][number];

/** The loaded part of a session's output. */
export interface Loaded {
  readonly entries: readonly OutputEntry[];
  /** In bytes: where the loaded part begins. */
  readonly start: number;
  /** In bytes: where it ends. */
  readonly end: number;
  /** True if the end of the output is loaded. */
  readonly isEnd: boolean;
  /** Of the whole output, in bytes. */
  readonly size: number;
  /** Why there is no output; undefined: there is, or it is not loaded yet. */
  readonly missing: Answer["missing"] | undefined;
  readonly isRead: boolean;
}

/** Before the first page. */
export const NOTHING: Loaded = {
  entries: [],
  start: 0,
  end: 0,
  isEnd: false,
  size: 0,
  missing: undefined,
  isRead: false,
};

/**
 * Which part the reader sees: the end of what is loaded, its end and its beginning at once, or neither
 * its end. What the reader does not see can be dropped.
 */
export type Sight = "end" | "all" | "before the end";

/** What to load next: the end, what follows as it is printed, or on demand what is before or after. */
export type Step = "last" | "tail" | "older" | "newer";

export interface Wish {
  readonly from?: number | undefined;
  readonly before?: number | undefined;
  /** The most lines. */
  readonly limit: number;
}

/** What to ask the server for; undefined: nothing. */
export function wishFor(loaded: Loaded, step: Step, sight: Sight): Wish | undefined {
  const { entries, start, end, isEnd, isRead } = loaded;
  if (step === "last") return { limit: LINES };
  if (!isRead) return undefined;
  if (step === "older") {
    const isFull = sight === "end" && entries.length >= KEPT;
    return start > 0 && !isFull ? { before: start, limit: LINES } : undefined;
  }
  const isWanted = step === "newer" ? !isEnd : isEnd || sight === "end";
  return isWanted ? { from: end, limit: LINES } : undefined;
}

/** With another page: of more entries than are kept, those at the other end are dropped. */
export function withPage(loaded: Loaded, { page, missing }: Answer, wish: Wish, sight: Sight): Loaded {
  if (!page) return { ...NOTHING, missing, isRead: missing !== "not_begun" };
  const { from, before } = wish;
  const rest = { missing: undefined, isRead: true };
  if (loaded.isRead && before !== undefined && page.end === loaded.start) {
    const entries = [...page.entries, ...loaded.entries];
    const older = { ...loaded, start: page.start, entries, size: page.size };
    return sight === "before the end" ? withoutEnd(older) : older;
  }
  // Another start: the file was replaced.
  if (!loaded.isRead || from === undefined || page.start !== loaded.end) return { ...page, ...rest };
  const { end, isEnd, size } = page;
  if (page.entries.length === 0) return { ...loaded, ...rest, end, isEnd, size };
  const entries = [...loaded.entries, ...page.entries];
  const newer = { ...loaded, ...rest, entries, end, isEnd, size };
  if (sight === "end") return withoutStart(newer);
  // What is printed from now on is read when the reader comes to the end.
  return sight === "before the end" && entries.length >= KEPT ? { ...newer, isEnd: false } : newer;
}

/** Whole lines are dropped. */
function withoutStart(loaded: Loaded): Loaded {
  const least = loaded.entries.length - KEPT;
  if (least <= 0) return loaded;
  const nth = loaded.entries.findIndex((entry, index) => index >= least && entry.nth === 0);
  const first = loaded.entries[nth];
  return first ? { ...loaded, entries: loaded.entries.slice(nth), start: first.at } : loaded;
}

function withoutEnd(loaded: Loaded): Loaded {
  if (loaded.entries.length <= KEPT) return loaded;
  const nth = loaded.entries.findLastIndex((entry, index) => index <= KEPT && entry.nth === 0);
  const next = loaded.entries[nth];
  // One line that is longer than all that is kept stays.
  return next && nth > 0
    ? { ...loaded, entries: loaded.entries.slice(0, nth), end: next.at, isEnd: false }
    : loaded;
}

/** The most lines of a page. */
export const LINES = 200;
/** The most entries in memory, but for a page. */
export const KEPT = 4_000;
