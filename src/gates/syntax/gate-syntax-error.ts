import stringWidth from "string-width";
import { ToldError } from "../../lib/told-error.ts";
import { visible } from "../../lib/visible.ts";

/**
 * - `empty`: nothing is written;
 * - `control_character`: a line break, another control character or half a character;
 * - `no_clause`: it begins with neither `>>` nor `::`;
 * - `empty_name`: nothing stands behind `>>`;
 * - `unwanted_name`: a name where the task has a title already;
 * - `wrong_clause`: what follows `::` is neither a gate nor a criterion;
 * - `unknown_gate`: a misspelt `verify`, or another word for it;
 * - `no_quote`: a text without a quote before it;
 * - `unclosed_quote`, `unknown_escape`, `after_quote`: in or directly behind quotes;
 * - `blank`, `too_long`: a text, or the name;
 * - `misplaced_option`: behind a criterion;
 * - `unknown_option`, `doubled_option`, `two_presets`, `out_of_range`: of a gate;
 * - `too_many`: gates or criteria.
 */
export type GateSyntaxCode =
  | "empty"
  | "control_character"
  | "no_clause"
  | "empty_name"
  | "unwanted_name"
  | "wrong_clause"
  | "unknown_gate"
  | "no_quote"
  | "unclosed_quote"
  | "unknown_escape"
  | "after_quote"
  | "blank"
  | "too_long"
  | "misplaced_option"
  | "unknown_option"
  | "doubled_option"
  | "two_presets"
  | "out_of_range"
  | "too_many";

/**
 * A gate line that does not parse. `message` names the column, shows the line with a caret below
 * it, and says what was found and what would be right.
 */
export class GateSyntaxError extends ToldError<GateSyntaxCode> {
  override readonly name = "GateSyntaxError";
  readonly fault = "usage";
  /** The column of the faulty character, in Unicode characters from 1. */
  readonly column: number;

  /** @param at the index of the faulty character, in UTF-16 units; the text's length for its end */
  constructor(code: GateSyntaxCode, text: string, at: number, explanation: string) {
    const before = [...text.slice(0, at)];
    const column = before.length + 1;
    const [line, caret] = pointAt(before, [...text.slice(at)]);
    super(code, `The gates have a syntax error at column ${column}:\n  ${line}\n  ${caret}\n${explanation}`);
    this.column = column;
  }
}

/** How many characters are shown around the faulty one. */
const BEFORE = 60;
const BEHIND = 30;

function pointAt(before: readonly string[], rest: readonly string[]): [line: string, caret: string] {
  const start = (before.length > BEFORE ? "…" : "") + visible(before.slice(-BEFORE).join(""));
  const end = visible(rest.slice(0, BEHIND).join("")) + (rest.length > BEHIND ? "…" : "");
  return [start + end, `${" ".repeat(stringWidth(start))}^`];
}
