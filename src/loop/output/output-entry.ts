import { maskedBeginning } from "../../lib/mask-secrets.ts";
import { bytes } from "../../lib/readable.ts";
import { shorten } from "../../lib/shorten.ts";
import { clients, commandEntries } from "../agent/clients.ts";
import type { Entry } from "../agent/entry.ts";
import { objectIn } from "../agent/facts.ts";
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
  return entriesWith(line, secrets, () => LONGEST);
}

/** The same for a list: long texts are cut. */
export function shortEntries(line: FileLine, secrets: readonly string[]): OutputEntry[] {
  return entriesWith(line, secrets, ({ kind }) => (kind === "result" ? RESULT : TEXT));
}

function entriesWith(
  line: FileLine,
  secrets: readonly string[],
  limitOf: (entry: Entry) => number,
): OutputEntry[] {
  return read(line, secrets).map((entry, nth) => {
    const { text, cut } = shownOf(entry.text, limitOf(entry), secrets);
    const tool = entry.tool && { tool: shownOf(entry.tool, TOOL, secrets).text };
    return { ...entry, ...tool, text, at: line.at, nth, ...(cut > 0 && { cut }) };
  });
}

function shownOf(whole: string, limit: number, secrets: readonly string[]) {
  const { text, cut } = maskedBeginning(whole, limit, secrets);
  return { text: cut > 0 ? shorten(`${text}…`, text.length) : text, cut };
}

function read(line: FileLine, secrets: readonly string[]): readonly Entry[] {
  if (line.isCut) {
    const size = bytes(line.end - line.at);
    const text = `${shownOf(line.text, RESULT, secrets).text}\n(This line is ${size} long; only its beginning is shown.)`;
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
const LONGEST = 200_000;
const TOOL = 200;
/** Of one line. */
const ENTRIES = 50;

/**
 * The readable entries in a line of any agent's output. The line's form tells its client, so that a
 * changed configuration does not matter; a line of no known form is an entry as it is.
 */
export function entriesOf(line: string): readonly Entry[] {
  if (line.trim() === "") return [];
  const parsed = objectIn(line);
  if (parsed === undefined) return [{ kind: "raw", text: line }];
  for (const read of READERS) {
    const entries = read(parsed);
    if (entries) return entries;
  }
  return [{ kind: "raw", text: line }];
}

const READERS = [commandEntries, ...Object.values(clients).map(({ entries }) => entries)];
