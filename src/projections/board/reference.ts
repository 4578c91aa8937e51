import { isMark } from "../../events/types/structure.ts";
import type { Board } from "./tables.ts";

/**
 * The task that an upstream blocker's text names (docs/rules.md, Settlement, step 10): the first
 * number of another existing task; else the only task with exactly this title; else the only one
 * whose title occurs in the text. A redacted text names only the number that was kept of it; a
 * redacted title matches no text.
 */
export function findReferredTask(
  board: Pick<Board, "tasks">,
  on: string,
  ownTask: number,
): number | undefined {
  for (const id of numbersIn(on)) {
    if (id !== ownTask && board.tasks.get(id)) return id;
  }
  if (isMark(on)) return undefined;
  const { title_folded: folded, title_prefix: prefix } = foldedTitle(on);
  // Three at most: the blocker's own task, and two matches, which make the text ambiguous.
  const equal = board.tasks
    .first(3, { title_prefix: prefix, title_folded: folded })
    .filter(({ id }) => id !== ownTask);
  const found =
    equal.length > 0
      ? equal
      : board.tasks.where(
          { title_prefix: prefixesIn(folded) },
          ({ id, title_folded }) => folded.includes(title_folded) && !isMark(title_folded) && id !== ownTask,
        );
  return found.length === 1 ? found[0]?.id : undefined;
}

/** A title normalised for comparison: case is ignored. */
export function foldedTitle(title: string): { title_folded: string; title_prefix: string } {
  const folded = title.trim().toLowerCase();
  return { title_folded: folded, title_prefix: [...folded].slice(0, PREFIX_LENGTH).join("") };
}

/** A prefix length that few titles share: every task with the prefix is compared. */
const PREFIX_LENGTH = 16;

/**
 * Every prefix in the text that a title may have: an index lookup instead of a scan of all tasks.
 */
function prefixesIn(folded: string): string[] {
  // Where each character begins, and where the last one ends.
  const places = [0];
  for (const character of folded) places.push((places.at(-1) ?? 0) + character.length);
  const prefixes = new Set<string>();
  for (let start = 0; start < places.length - 1; start++) {
    const last = Math.min(start + PREFIX_LENGTH, places.length - 1);
    for (let end = start + 1; end <= last; end++) prefixes.add(folded.slice(places[start], places[end]));
  }
  return [...prefixes];
}

/**
 * Replaces task numbers in a text: `task 7`, `task #7` or `#7`, the last only if no word for a pull
 * request or an issue (even with a colon or "no.") comes right before it.
 */
export function mapReferences(text: string, to: (id: number) => number): string {
  return text.replace(REFERENCE, (match: string, ofTask?: string, bare?: string, index = 0) =>
    ofTask === undefined && isOfRequest(text, index)
      ? match
      : match.replace(/\d+/, String(to(Number(ofTask ?? bare)))),
  );
}

/** The task numbers in a text, in order. */
export function* numbersIn(text: string): Generator<number> {
  for (const match of text.matchAll(REFERENCE)) {
    const [, ofTask, bare] = match;
    if (ofTask !== undefined || !isOfRequest(text, match.index)) yield Number(ofTask ?? bare);
  }
}

/**
 * Looks only at the few characters before a number, so that a long text full of numbers stays
 * cheap.
 */
function isOfRequest(text: string, index: number): boolean {
  return NO_TASK_BEFORE.test(text.slice(Math.max(0, index - 40), index));
}

const REFERENCE = /\btask\s+#?(\d{1,10})\b|#(\d{1,10})\b/giu;
const NO_TASK_BEFORE = /\b(?:PR|MR|pull\s+request|merge\s+request|issue)s?(?:\s*(?::|no\.))*\s*$/iu;
