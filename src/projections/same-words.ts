import { hash } from "node:crypto";

/**
 * Equal for texts that say the same in the same words
 * (docs/decisions/0009-near-duplicate-learnings.md). Significant: words, their order, names,
 * numbers, signs, quotation marks and sentence ends. Ignored: the case of plain words, blanks,
 * markdown's marks and other punctuation of prose.
 */
export function digestOf(text: string): string {
  return hash("sha256", comparedWords(text).join(" "));
}

/** The digest of an entry that equals no other, whatever its words. */
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
  // A text that distinguishes two words by case alone ("True, not true") keeps the case.
  return new Set(folded).size === new Set(words).size ? folded : words;
}

/** Marks of quotes, lists and headings; before a number, `-` may be a sign and `>` a comparison. */
const LINE_MARKS = /^[ \t]*(?:(?:>|[-*+]|#{1,6})[ \t]+(?=[^\s\d]))+/gm;
const EMPHASIS = /(?<=^|[\s(])(\*{1,3})(?=[\p{L}\p{N}"'`])([^*]*[^*\s])\1(?=$|[\s).,;:!?])/gmu;
/** Between words they mean a comma, between numbers a range. */
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

/** Code is a name: it keeps its backticks if its case would be ignored without them. */
function withoutTicks(word: string): string {
  const plain = word.replace(/`+(?=.)|(?<=.)`+/g, "");
  return plain === word || foldCase(plain) === plain ? plain : word;
}

/** A dot or a colon next to another one, or after a slash, belongs to a name. */
const MARKS_AROUND = /^\(*(?<bare>.*?)(?<marks>(?:[),;…]|(?<![./:!])[.:!](?![.:!]))*)$/u;
const CAPITALIZED = /^\p{Lu}[\p{Ll}'’-]*$/u;
const NEGATION = /^(?:no|not|never|none|nothing|nor|neither|cannot|.+n't)$/iu;

/** Plain words in lower case; `userId`, `API_KEY`, `src/App.ts` are names and stay. */
function foldCase(word: string): string {
  return PLAIN.test(word) ? word.toLowerCase() : word;
}

const PLAIN =
  /^(?=[\p{L}\p{N}])(?:\p{Lu}?\p{Ll}*|\p{Lu}+|\p{N}+)(?:['-](?:\p{Lu}?\p{Ll}*|\p{Lu}+|\p{N}+))*[.,]?$/u;
