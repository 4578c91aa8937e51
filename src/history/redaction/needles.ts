import type { FoundText } from "../../events/redaction/without-texts.ts";
import { parsedJson } from "../../lib/json.ts";
import { visible } from "../../lib/visible.ts";

/**
 * The byte strings to search files for: each removed text, and its longer lines, since a prompt
 * quotes line by line with hidden characters made visible; each also in JSON, and in JSON within
 * JSON, as a transcript stores the answers of tools.
 */
export function needlesOf(removed: readonly FoundText[]): readonly Buffer[] {
  const texts = removed.flatMap(({ text }) => textsIn(text));
  const lines = texts.flatMap((text) => text.split(/\r\n|\n|\r/)).map((line) => line.trim());
  const words = [
    ...texts.filter((text) => text.trim().length >= SHORTEST_TEXT),
    ...lines.filter((line) => line.length >= SHORTEST_LINE),
  ];
  const forms = words.flatMap((word) => [word, visible(word), asJson(word), asJson(asJson(word))]);
  // Longest first: a needle that contains another is overwritten as a whole.
  return [...new Set(forms)].sort((a, b) => b.length - a.length).map((form) => Buffer.from(form));
}

const asJson = (text: string) => JSON.stringify(text).slice(1, -1);

/** Shorter texts occur by chance. */
const SHORTEST_TEXT = 4;
const SHORTEST_LINE = 12;

/** A text that was removed with its field name appears as JSON. */
function textsIn(text: string): string[] {
  return /^[{["]/.test(text) ? [text, ...stringsIn(parsedJson(text))] : [text];
}

function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [key, ...stringsIn(member)]);
}
