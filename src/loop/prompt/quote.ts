import { oneLine, visible } from "../../events/visible.ts";

/**
 * How words of others stand in a prompt. Every line of an agent's or a program's text is behind `> `, and every line
 * of a human's behind `| `, so that none of them can pass for a heading, for another part, or for the other.
 */
export function quoteAgent(text: string, limit: number): string {
  return marked("> ", text, limit);
}

export function quoteHuman(text: string, limit: number): string {
  return marked("| ", text, limit);
}

/** Words of a task: an agent's, as soon as an agent wrote or changed any of them. */
export function quoteTask({ agent_words }: { readonly agent_words: 0 | 1 }): typeof quoteHuman {
  return agent_words ? quoteAgent : quoteHuman;
}

/** Words of one field of a feature or a discipline: those of whoever wrote them last (decision 0019). */
export function quoteOf(
  { agent_fields }: { readonly agent_fields: readonly string[] },
  field: string,
): typeof quoteHuman {
  return agent_fields.includes(field) ? quoteAgent : quoteHuman;
}

/** A short text within a line of ours. */
export function inLine(text: string, limit = 200): string {
  const line = visible(oneLine(text.trim()));
  return line.length > limit ? `${wellFormed(line.slice(0, limit - 1))}…` : line;
}

/** @returns at most `limit` characters, or one shortened line where that is less than the marks take */
function marked(mark: string, text: string, limit: number): string {
  const lines = text.split(/\r\n|\n|\r/).map((line) => visible(line).trimEnd());
  const first = lines.findIndex((line) => line !== "");
  const plain = lines.slice(Math.max(0, first)).join("\n").trimEnd();
  for (let room = limit; ; room = Math.floor(room * 0.8)) {
    const quoted = shorten(plain, room).replace(/^/gm, mark);
    if (quoted.length <= limit || room <= MARK_LENGTH) return quoted;
  }
}

/** Leaves out the middle: a text says at its beginning what it is about, and a failure at its end what failed. */
function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const room = Math.max(0, limit - MARK_LENGTH);
  const head = wellFormed(text.slice(0, Math.ceil(room * HEAD_SHARE)));
  const tail = wellFormed(text.slice(text.length - Math.floor(room * (1 - HEAD_SHARE))));
  return `${head}\n[… ${text.length - head.length - tail.length} characters left out here …]\n${tail}`;
}

/** What the mark of a shortened text takes at most. */
const MARK_LENGTH = 60;
const HEAD_SHARE = 2 / 3;

/** Without the half of a surrogate pair that a cut leaves at an end. */
function wellFormed(text: string): string {
  return text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
}
