import { oneLine, visible } from "../../lib/visible.ts";

/**
 * Quotes others' words in a prompt. Every line of an agent's or a program's text starts with `> `,
 * and every line of a human's with `| `, so that none of them can imitate a heading, another part,
 * or the other kind of writer.
 */
export function quoteAgent(text: string, limit: number): string {
  return marked("> ", text, limit);
}

export function quoteHuman(text: string, limit: number): string {
  return marked("| ", text, limit);
}

/** Words of a task: an agent's, once an agent wrote or changed any of them. */
export function quoteTask({ agent_words }: { readonly agent_words: 0 | 1 }): typeof quoteHuman {
  return agent_words ? quoteAgent : quoteHuman;
}

/**
 * Words of one field of a feature or a discipline, attributed to its last writer (decision 0019).
 */
export function quoteOf(
  { agent_fields }: { readonly agent_fields: readonly string[] },
  field: string,
): typeof quoteHuman {
  return agent_fields.includes(field) ? quoteAgent : quoteHuman;
}

/** A short text inline in our own line. */
export function inLine(text: string, limit = 200): string {
  const line = visible(oneLine(text.trim()));
  return line.length > limit ? `${wellFormed(line.slice(0, limit - 1))}…` : line;
}

/** @returns at most `limit` characters, or one shortened line if the marks alone would take more */
function marked(mark: string, text: string, limit: number): string {
  const lines = text.split(/\r\n|\n|\r/).map((line) => visible(line).trimEnd());
  const first = lines.findIndex((line) => line !== "");
  const plain = lines.slice(Math.max(0, first)).join("\n").trimEnd();
  for (let room = limit; ; room = Math.floor(room * 0.8)) {
    const quoted = shorten(plain, room).replace(/^/gm, mark);
    if (quoted.length <= limit || room <= MARK_LENGTH) return quoted;
  }
}

/**
 * Cuts the middle: the beginning of a text says what it is about, the end of a failure what failed.
 */
function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const room = Math.max(0, limit - MARK_LENGTH);
  const head = wellFormed(text.slice(0, Math.ceil(room * HEAD_SHARE)));
  const tail = wellFormed(text.slice(text.length - Math.floor(room * (1 - HEAD_SHARE))));
  return `${head}\n[… ${text.length - head.length - tail.length} characters left out here …]\n${tail}`;
}

/** The longest mark of a shortened text. */
const MARK_LENGTH = 60;
const HEAD_SHARE = 2 / 3;

/** Removes half of a surrogate pair at a cut. */
function wellFormed(text: string): string {
  return text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
}
