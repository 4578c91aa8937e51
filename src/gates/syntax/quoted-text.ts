import { isBlank } from "../../lib/blank.ts";
import { type Scanner, show } from "./scanner.ts";

/**
 * Parses the next text in double quotes, and resolves its escapes: `\"`, `\\`, `
 * `, `\t`.
 *
 * @param what the name of the text in messages
 * @throws GateSyntaxError `no_quote`, `unclosed_quote`, `unknown_escape`, `after_quote`, `blank`
 */
export function takeQuoted(scanner: Scanner, what: string): string {
  const start = scanner.at;
  if (!scanner.take('"')) {
    const right = `the ${what} must be in double quotes, with no space before them`;
    throw scanner.wrong("no_quote", `Found ${scanner.found}; ${right}.`);
  }
  const text = takeToQuote(scanner, start);
  if (isBlank(text))
    throw scanner.wrong("blank", `The ${what} is blank; write it between the quotes.`, start);
  if (!scanner.atClauseEnd && !/\s/u.test(scanner.text.charAt(scanner.at))) {
    const right = 'a space, `::` or the end must follow. Write a quote within the text as `\\"`';
    throw scanner.wrong("after_quote", `Found ${scanner.found} after the closing quote; ${right}.`);
  }
  return text;
}

/** A text quoted for a gate line. */
export function quote(text: string): string {
  const escaped = text.replace(/["\\\n\t]/g, (character) => `\\${LETTERS.get(character)}`);
  return `"${escaped}"`;
}

function takeToQuote(scanner: Scanner, start: number): string {
  let text = "";
  while (!scanner.take('"')) {
    if (scanner.atEnd) {
      const right = 'end the text with `"`. Write a quote within it as `\\"`';
      throw scanner.wrong("unclosed_quote", `This quote is not closed; ${right}.`, start);
    }
    text += scanner.match(/[^"\\]+/uy) ?? takeEscape(scanner, start);
  }
  return text;
}

function takeEscape(scanner: Scanner, start: number): string {
  const at = scanner.at;
  const pair = scanner.match(/\\./uy);
  if (pair === undefined) {
    const right = "write a backslash as `\\\\`; a quote ends the text";
    throw scanner.wrong("unclosed_quote", `The line ends inside quotes; ${right}.`, start);
  }
  const character = CHARACTERS.get(pair.slice(1));
  if (character !== undefined) return character;
  const right = 'write a backslash as `\\\\`; the other escapes are `\\"`, `\\n` and `\\t`';
  throw scanner.wrong("unknown_escape", `Found ${show(pair)}; ${right}.`, at);
}

/** The meaning of the character after a backslash. */
const ESCAPES = [
  ['"', '"'],
  ["\\", "\\"],
  ["n", "\n"],
  ["t", "\t"],
] as const;

const CHARACTERS: ReadonlyMap<string, string> = new Map(ESCAPES);
const LETTERS: ReadonlyMap<string, string> = new Map(
  ESCAPES.map(([letter, character]) => [character, letter]),
);
