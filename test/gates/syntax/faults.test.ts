import { expect, test } from "vitest";
import { type GateSyntaxCode, GateSyntaxError } from "../../../src/gates/syntax/gate-syntax-error.ts";
import { parseGateLine } from "../../../src/gates/syntax/parse.ts";

/* Catches: a slip of the pen that is passed over, or whose place has to be searched for. */
function refusalOf(text: string): GateSyntaxError {
  try {
    parseGateLine(text);
  } catch (error) {
    if (error instanceof GateSyntaxError) return error;
    throw error;
  }
  throw new Error(`This was understood: ${text}`);
}

/** The code, the line, the column of the fault, below which a caret stands, and a part of what is said of it. */
const FAULTS: readonly (readonly [GateSyntaxCode, string, number, string])[] = [
  ["empty", "", 1, "The text is empty; write a gate, `:: verify:"],
  ["empty", "   ", 4, "The text is empty"],
  ["no_clause", 'verify:"npm test"', 1, 'Found `verify:"npm`; a gate or a criterion begins with `::`'],
  ["no_clause", ' Export :: "x"', 2, "a name before them with `>>`"],
  ["empty_name", '>> :: "x"', 1, "There is no name after `>>`"],
  ["empty_name", " >>", 2, "write one, or leave out `>>`"],
  ["wrong_clause", ":: ", 4, 'Found the end after `::`; write `verify:"command"`'],
  ["wrong_clause", ':: :: "x"', 4, "Found `::` after `::`"],
  ["wrong_clause", ':: verify:"a" ::fast', 17, "Found `fast` after `::`"],
  ["wrong_clause", ">>test a::b", 11, "Found `b` after `::`"],
  ["wrong_clause", ":: 'npm test'", 4, "Found `'npm` after `::`"],
  ["wrong_clause", ':: code style:"x"', 4, "Found `code` after `::`"],
  ["wrong_clause", ':::"x"', 3, 'Found `:"x"` after `::`'],
  ["unknown_gate", ':: "a" :: Verify:"npm test"', 11, "There is no gate `Verify`; a command is written"],
  ["unknown_gate", ':: verfy:"npm test"', 4, 'a command is written `verify:"…"`'],
  ["unknown_gate", ':: shell:"npm test"', 4, 'a criterion of that name is `"shell: …"`'],
  ["no_quote", ":: verify:npm test", 11, "Found `npm`; the command must be in double quotes"],
  ["no_quote", ':: verify: "npm test"', 11, "Found a space; the command must be"],
  ["no_quote", ':: verify::"a"', 11, 'Found `:"a"`; the command must be'],
  ["no_quote", ":: verify:", 11, "Found the end; the command must be in double quotes"],
  ["no_quote", ":: verify:“npm test”", 11, "Found `“npm`"],
  ["no_quote", ":: style:'x'", 10, "Found `'x'`; the criterion must be in double quotes"],
  ["unclosed_quote", ':: "a" :: verify:"npm test', 18, "This quote is not closed; end the text"],
  ["unclosed_quote", String.raw`:: verify:"a\"`, 11, 'Write a quote within it as `\\"`'],
  ["unclosed_quote", ':: verify:"a\\', 11, "write a backslash as `\\\\`"],
  ["unknown_escape", String.raw`:: verify:"a \d"`, 14, "Found `\\d`; write a backslash as `\\\\`"],
  ["unknown_escape", String.raw`:: "\👍"`, 5, "Found `\\👍`"],
  ["after_quote", ':: verify:"grep "x" y"', 18, 'Found `x"` after the closing quote'],
  ["after_quote", ':: verify:"a":fast', 14, "a space, `::` or the end must follow"],
  ["after_quote", ':: "a".', 7, "Found `.` after the closing quote"],
  ["blank", ':: verify:""', 11, "The command is blank; write it between the quotes"],
  ["blank", String.raw`:: verify:" \n"`, 11, "The command is blank"],
  ["blank", ':: verify:"\u3164"', 11, "The command is blank"],
  ["blank", ':: "x" :: " "', 11, "The criterion is blank"],
  ["blank", ':: style:""', 10, "The criterion is blank"],
  ["misplaced_option", ':: "a" :fast', 8, 'Found `:fast` after a criterion; only `verify:"…"` takes'],
  ["misplaced_option", ':: style:"a" max:3 :: "b"', 14, "Found `max:3` after a criterion"],
  ["unknown_option", ':: verify:"a" maxx:3', 15, "`maxx:3` is not an option; did you mean `max:N`?"],
  ["unknown_option", ':: verify:"a" max=3', 15, "did you mean `max:N`?"],
  ["unknown_option", ':: verify:"a" :fsat', 15, "did you mean `:fast`?"],
  ["unknown_option", ':: verify:"a" fast', 15, "did you mean `:fast`?"],
  ["unknown_option", ':: verify:"a" :Full', 15, "did you mean `:full`?"],
  ["unknown_option", ':: verify:"a" time-out:3', 15, "did you mean `timeout:N`?"],
  [
    "unknown_option",
    ':: verify:"a" :constructor',
    15,
    "a gate takes `max:N`, `timeout:N`, `:fast`, `:full`, `:extended`.",
  ],
  ["doubled_option", ':: verify:"a" max:3 max:3', 21, "next to `max:3`; a gate takes `max` once"],
  ["doubled_option", ':: verify:"a" timeout:3 :fast timeout:4', 31, "next to `timeout:3`"],
  ["two_presets", ':: verify:"a" :fast :full', 21, "Found `:full` next to `:fast`; a gate takes one"],
  ["two_presets", ':: verify:"a" :fast :fast', 21, "Found `:fast` next to `:fast`"],
  [
    "out_of_range",
    ':: verify:"a" max:0',
    19,
    "Found `0`; `max` must be a whole number of attempts from 1 to 1000",
  ],
  ["out_of_range", ':: verify:"a" max:1001', 19, "Found `1001`"],
  ["out_of_range", ':: verify:"a" max:2.5', 19, "Found `2.5`"],
  ["out_of_range", ':: verify:"a" max:-1', 19, "Found `-1`"],
  ["out_of_range", ':: verify:"a" max:"3"', 19, 'Found `"3"`'],
  ["out_of_range", ':: verify:"a" max: 3', 19, "Found no number"],
  [
    "out_of_range",
    ':: verify:"a" timeout:601',
    23,
    "`timeout` must be a whole number of seconds from 1 to 600",
  ],
  ["out_of_range", ':: verify:"a" timeout:30s', 23, "Found `30s`"],
  ["out_of_range", ':: verify:"a" timeout:99999999999999999999', 23, "from 1 to 600"],
  ["out_of_range", ':: verify:"a" timeout:1e2', 23, "Found `1e2`"],
];

test.each(FAULTS)("%s: %s", (code, text, column, said) => {
  const refusal = refusalOf(text);
  expect(refusal).toMatchObject({ code, column });
  const [head, line, below, ...explanation] = refusal.message.split("\n");
  expect(head).toBe(`The gates have a syntax error at column ${column}:`);
  expect(line).toBe(`  ${text}`);
  expect(below).toBe(`  ${"^".padStart(column)}`);
  expect(explanation.join("\n")).toContain(said);
});

test.each([
  ["a line break", ':: "a"\n:: "b"', 7, "  ^".padStart(9), "\\u{a}"],
  ["a line break in quotes", ':: "a\r\nb"', 6, "       ^", "\\u{d}"],
  ["an escape character", ':: verify:"\u001b[2J"', 12, "             ^", "\\u{1b}"],
  ["half a surrogate pair", ':: "\ud83d"', 5, "      ^", "Found"],
  ["a line separator in a name", ">>a\u2028b", 4, "     ^", "\\u{2028}"],
])("%s is refused and shown, so that a line is what it looks like", (_what, text, column, caret, shown) => {
  const refusal = refusalOf(text);
  expect(refusal).toMatchObject({ code: "control_character", column });
  expect(refusal.message.split("\n")).toHaveLength(4);
  expect(refusal.message.split("\n")[2]).toBe(caret);
  expect(refusal.message).toContain(shown);
  expect(refusal.message).toContain("write a line break as `\\n`");
});

test("text over a limit is refused where it starts, with the limit", () => {
  const command = refusalOf(`:: "x" :: verify:"${"c".repeat(10_001)}"`);
  expect(command).toMatchObject({ code: "too_long", column: 11 });
  expect(command.message).toContain("The command has 10001 characters; the limit is 10000.");
  expect(refusalOf(`:: ab:"${"t".repeat(1_997)}"`).message).toContain(
    "has 2001 characters; the limit is 2000",
  );
  expect(refusalOf(`:: ${"l".repeat(3_000)}:"t"`)).toMatchObject({ code: "too_long", column: 4 });
  expect(refusalOf(`>>${"n".repeat(501)}`)).toMatchObject({ code: "too_long", column: 1 });
  const gates = refusalOf(':: verify:"a"'.repeat(101));
  expect(gates).toMatchObject({ code: "too_many", column: 1_301 });
  expect(gates.message).toContain("at most 100 gates");
  expect(refusalOf(':: "a"'.repeat(101)).message).toContain("at most 100 criteria");
});

test("the caret points at the fault even after wide and invisible characters, and in a long line", () => {
  const [, , wide] = refusalOf(':: "日本👍" x').message.split("\n");
  expect(wide).toBe(`  ${" ".repeat(12)}^`);
  expect(refusalOf(':: "日本👍" x').column).toBe(10);
  const [, hidden, below] = refusalOf(':: "a\u202eb" x').message.split("\n");
  expect([hidden, below]).toEqual(['  :: "a\\u{202e}b" x', `  ${" ".repeat(16)}^`]);
  const long = refusalOf(`:: "${"a".repeat(1_000)}" max:3 :: "${"b".repeat(1_000)}"`);
  const [, line = "", caret = ""] = long.message.split("\n");
  expect(long.column).toBe(1_007);
  expect(line.slice(caret.length - 1)).toMatch(/^max:3 :: "b+…$/);
  expect(line.length).toBeLessThan(100);
});
