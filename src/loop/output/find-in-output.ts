import { hitsIn, wordsIn } from "../../lib/search-words.ts";
import { type FileLine, lastLineEnd, linesBefore } from "./lines.ts";
import { type OutputEntry, wholeEntries } from "./output-entry.ts";
import { type OutputOf, withOutput } from "./output-file.ts";

/** Entries with all searched words, the newest first. */
export interface OutputHits {
  /** Their texts are cut to what is around the first hit. */
  readonly entries: readonly OutputEntry[];
  /** The `before` to search on with; null at the beginning of the file. */
  readonly next: number | null;
}

/**
 * Searches a session's output backwards, at most `SCAN_LIMIT` bytes and for `HITS` entries at once.
 * Masked secrets are not found, nor is a text without a letter or digit.
 *
 * @param before an offset at which a line begins; absent: the end
 * @returns undefined: there is no such file
 */
export async function findInOutput(
  of: OutputOf,
  text: string,
  before: number | undefined,
): Promise<OutputHits | undefined> {
  const words = wordsIn(text);
  return withOutput(of, async (file, size) => {
    if (words.length === 0) return { entries: [], next: null };
    const last = await lastLineEnd(file, { size, isOver: of.isOver });
    const end = Math.min(before ?? last, last);
    const found: OutputEntry[] = [];
    let at = end;
    while (at > 0 && end - at < SCAN_LIMIT && found.length < HITS) {
      const lines = await linesBefore(file, at, { limit: LINES });
      for (const line of lines.toReversed()) {
        found.push(...hitsOf(line, words, of.secrets));
        at = line.at;
        if (found.length >= HITS) break;
      }
      if (lines.length === 0) break;
    }
    return { entries: found, next: at > 0 ? at : null };
  });
}

function hitsOf(line: FileLine, words: readonly string[], secrets: readonly string[]): OutputEntry[] {
  const raw = line.text.toLowerCase();
  // JSON may write other characters in escapes.
  if (words.some((word) => /^[a-z0-9]+$/.test(word) && !raw.includes(word))) return [];
  return wholeEntries(line, secrets)
    .toReversed()
    .flatMap((entry) => {
      const searched = `${entry.tool ?? ""}\n${entry.text}`;
      if (!words.every((word) => hitsIn(searched, [word]).length > 0)) return [];
      return [{ ...entry, ...around(entry, hitsIn(entry.text, words)[0]?.[0] ?? 0) }];
    });
}

/** The text around a hit. */
function around({ text, cut = 0 }: OutputEntry, hit: number): Pick<OutputEntry, "text" | "cut"> {
  const from = Math.max(0, hit - BEFORE);
  const to = Math.min(text.length, hit + AFTER);
  const left = cut + from + text.length - to;
  const shown = `${from > 0 ? "…" : ""}${text.slice(from, to)}${to < text.length ? "…" : ""}`;
  return { text: shown, ...(left > 0 && { cut: left }) };
}

/** In bytes; takes about a tenth of a second. */
const SCAN_LIMIT = 8 * 1024 * 1024;
const HITS = 100;
const LINES = 1_000;
/** In characters. */
const BEFORE = 200;
const AFTER = 600;
