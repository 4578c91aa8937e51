import { maskSecrets } from "../../lib/mask-secrets.ts";
import { bytes } from "../../lib/readable.ts";
import { shorten } from "../../lib/shorten.ts";
import { entriesOf } from "../agent/entries.ts";
import type { Entry } from "../agent/entry.ts";
import type { FileLine } from "./lines.ts";

/** A readable part of a session's output, its secrets masked. */
export interface OutputEntry extends Entry {
  /** Where its line begins, in bytes. */
  readonly at: number;
  /** Its index among the entries of the line. */
  readonly nth: number;
  /** How many characters of the text are not shown; absent: none. */
  readonly cut?: number;
}

/** The entries of a line, with whole texts up to `LONGEST`. @param secrets as for `maskSecrets` */
export function wholeEntries(line: FileLine, secrets: readonly string[]): OutputEntry[] {
  return read(line).map((entry, nth) => {
    const text = maskSecrets(entry.text.slice(0, LONGEST), secrets);
    const cut = Math.max(0, entry.text.length - LONGEST);
    return { ...entry, text, at: line.at, nth, ...(cut > 0 && { cut }) };
  });
}

/** The same for a list: long texts are cut. */
export function shortEntries(line: FileLine, secrets: readonly string[]): OutputEntry[] {
  return read(line).map((entry, nth) => {
    const limit = entry.kind === "result" ? RESULT : TEXT;
    // More than is shown, so that no secret is cut before it is recognised.
    const masked = maskSecrets(entry.text.slice(0, limit + MARGIN), secrets);
    const text = shorten(masked, limit);
    const cut = entry.text.length > limit ? entry.text.length - limit : 0;
    return { ...entry, text, at: line.at, nth, ...(cut > 0 && { cut }) };
  });
}

function read(line: FileLine): readonly Entry[] {
  if (line.isCut) {
    const text = `${shorten(line.text, RESULT)}\n(a line of ${bytes(line.end - line.at)}, too long to read)`;
    return [{ kind: "raw", text }];
  }
  const entries = entriesOf(line.text);
  if (entries.length <= ENTRIES) return entries;
  const more: Entry = {
    kind: "note",
    text: `${entries.length - ENTRIES} more parts of this line are not shown`,
  };
  return [...entries.slice(0, ENTRIES), more];
}

/** In characters. */
const TEXT = 4_000;
const RESULT = 1_000;
const MARGIN = 4_000;
const LONGEST = 200_000;
/** Of one line. */
const ENTRIES = 50;
