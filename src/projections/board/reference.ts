import { isMark } from "../../events/types/structure.ts";
import type { Board } from "./tables.ts";

/**
 * The task that an upstream blocker's text names (rules.md, Settlement, step 10): the first number of another task
 * that exists; else the one task whose title equals the text; else the one whose title is contained in it.
 * A text that was redacted names nothing but the number that was kept of it, and a title that was is that of no text.
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
  // Three at most: the own task, and two that the text could both mean.
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

/** A title as it is compared: letter case is ignored. */
export function foldedTitle(title: string): { title_folded: string; title_prefix: string } {
  const folded = title.trim().toLowerCase();
  return { title_folded: folded, title_prefix: [...folded].slice(0, PREFIX_LENGTH).join("") };
}

/** Long enough that few titles share one: every task that does is looked at. */
const PREFIX_LENGTH = 16;

/** Every prefix that a title may have which the text contains: an index answers, not a look at each task. */
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
 * Replaces the numbers of tasks in a text: those written as `task 7`, `task #7` or `#7`, the last not directly behind the
 * word for a pull request or an issue, also with a colon or "no." between.
 */
export function mapReferences(text: string, to: (id: number) => number): string {
  return text.replace(REFERENCE, (match: string, ofTask?: string, bare?: string, index = 0) =>
    ofTask === undefined && isOfRequest(text, index)
      ? match
      : match.replace(/\d+/, String(to(Number(ofTask ?? bare)))),
  );
}

/** The numbers of tasks that a text names, in their order. */
export function* numbersIn(text: string): Generator<number> {
  for (const match of text.matchAll(REFERENCE)) {
    const [, ofTask, bare] = match;
    if (ofTask !== undefined || !isOfRequest(text, match.index)) yield Number(ofTask ?? bare);
  }
}

/** A look at the few characters before a number, so that a long text full of numbers stays cheap. */
function isOfRequest(text: string, index: number): boolean {
  return NO_TASK_BEFORE.test(text.slice(Math.max(0, index - 40), index));
}

const REFERENCE = /\btask\s+#?(\d{1,10})\b|#(\d{1,10})\b/giu;
const NO_TASK_BEFORE = /\b(?:PR|MR|pull\s+request|merge\s+request|issue)s?(?:\s*(?::|no\.))*\s*$/iu;
