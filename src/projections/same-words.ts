import { hash } from "node:crypto";

/**
 * Equal for texts that say the same in the same words (docs/decisions/0009-near-duplicate-learnings.md). Words, their
 * order, names, numbers, signs, quotation marks and the places where sentences end count; the letter case of plain words,
 * blanks, markdown's marks and other punctuation of prose do not.
 */
export function digestOf(text: string): string {
  return hash("sha256", comparedWords(text).join(" "));
}

/** The digest of an entry that counts as saying the same as no other, whatever its words. */
export function ownDigest(position: number): string {
  return hash("sha256", `alone ${position}`);
}

function comparedWords(text: string): string[] {
  const written = text
    .normalize("NFC")
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(LINE_MARKS, "")
    .replace(EMPHASIS, "$2")
    .replace(DASHES, ", ")
    .replace(LAST_MARK, "")
    .trim()
    .split(/\s+/);
  const words = written.map((word, index) => withoutMarks(word, written[index - 1]));
  const folded = words.map(foldCase);
  // A text that tells two words apart by their case alone ("True, not true") means the case.
  return new Set(folded).size === new Set(words).size ? folded : words;
}

/** Marks of quotes, lists and headings; before a number `-` may be its sign, and `>` a comparison. */
const LINE_MARKS = /^[ \t]*(?:(?:>|[-*+]|#{1,6})[ \t]+(?=[^\s\d]))+/gm;
const EMPHASIS = /(?<=^|[\s(])(\*{1,3})(?=[\p{L}\p{N}"'`])([^*]*[^*\s])\1(?=$|[\s).,;:!?])/gmu;
/** Between words they are commas, between numbers a range. */
const DASHES = /(?<![\d\s])\s+[–—]\s+(?![\d\s])|(?<=\p{L})—(?=\p{L})/gu;
const LAST_MARK = /(?<![\s./:!?])[.!;…]\s*$/;

function withoutMarks(written: string, before = "."): string {
  const { bare = "", marks = "" } = MARKS_AROUND.exec(written)?.groups ?? {};
  if (bare === "") return written;
  const begins = /[.!?;:…]["')]*$/.test(before) && CAPITALIZED.test(bare);
  const word = withoutTicks(begins ? bare.toLowerCase() : bare);
  if (/[.!;…]/.test(marks)) return `${word}.`;
  // "No, tabs are right" is not "No tabs are right".
  return marks !== "" && NEGATION.test(word) ? `${word},` : word;
}

/** What is marked as code is a name: it keeps the marks where without them its case would not count. */
function withoutTicks(word: string): string {
  const plain = word.replace(/`+(?=.)|(?<=.)`+/g, "");
  return plain === word || foldCase(plain) === plain ? plain : word;
}

/** A dot or a colon beside another one, or behind a slash, belongs to a name. */
const MARKS_AROUND = /^\(*(?<bare>.*?)(?<marks>(?:[),;…]|(?<![./:!])[.:!](?![.:!]))*)$/u;
const CAPITALIZED = /^\p{Lu}[\p{Ll}'’-]*$/u;
const NEGATION = /^(?:no|not|never|none|nothing|nor|neither|cannot|.+n't)$/iu;

/** In small letters where it is a plain word; `userId`, `API_KEY`, `src/App.ts` are names and stay. */
function foldCase(word: string): string {
  return PLAIN.test(word) ? word.toLowerCase() : word;
}

const PLAIN =
  /^(?=[\p{L}\p{N}])(?:\p{Lu}?\p{Ll}*|\p{Lu}+|\p{N}+)(?:['-](?:\p{Lu}?\p{Ll}*|\p{Lu}+|\p{N}+))*[.,]?$/u;
