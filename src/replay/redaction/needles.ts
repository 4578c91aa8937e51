import type { FoundText } from "../../events/redaction/without-texts.ts";
import { visible } from "../../events/visible.ts";

/**
 * The bytes by which removed texts are looked for in files: each text as it was, and its longer lines alone, since a prompt
 * quotes a text line by line, with what is hidden made visible; each also as JSON has it, and as JSON within JSON, as a
 * transcript has the answers of tools.
 */
export function needlesOf(removed: readonly FoundText[]): readonly Buffer[] {
  const texts = removed.flatMap(({ text }) => textsIn(text));
  const lines = texts.flatMap((text) => text.split(/\r\n|\n|\r/)).map((line) => line.trim());
  const words = [
    ...texts.filter((text) => text.trim().length >= SHORTEST_TEXT),
    ...lines.filter((line) => line.length >= SHORTEST_LINE),
  ];
  const forms = words.flatMap((word) => [word, visible(word), asJson(word), asJson(asJson(word))]);
  // The longest first: what contains another goes whole.
  return [...new Set(forms)].sort((a, b) => b.length - a.length).map((form) => Buffer.from(form));
}

const asJson = (text: string) => JSON.stringify(text).slice(1, -1);

/** Shorter ones stand everywhere by chance. */
const SHORTEST_TEXT = 4;
const SHORTEST_LINE = 12;

/** What was removed with its field's name is told as JSON. */
function textsIn(text: string): string[] {
  return /^[{["]/.test(text) ? [text, ...stringsIn(parsed(text))] : [text];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [key, ...stringsIn(member)]);
}
