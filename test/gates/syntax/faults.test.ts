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

/** The code, the line, a caret below the fault, and a part of what is said of it. */
const FAULTS: readonly (readonly [GateSyntaxCode, string, string, string])[] = [
  ["empty", "", "^", "The text is empty; write a gate, `:: verify:"],
  ["empty", "   ", "   ^", "The text is empty"],
  ["no_clause", 'verify:"npm test"', "^", 'Found `verify:"npm`; a gate or a criterion begins with `::`'],
  ["no_clause", ' Export :: "x"', " ^", "a name before them with `>>`"],
  ["empty_name", '>> :: "x"', "^", "There is no name after `>>`"],
  ["empty_name", " >>", " ^", "write one, or leave out `>>`"],
  ["wrong_clause", ":: ", "   ^", 'Found the end after `::`; write `verify:"command"`'],
  ["wrong_clause", ':: :: "x"', "   ^", "Found `::` after `::`"],
  ["wrong_clause", ':: verify:"a" ::fast', "                ^", "Found `fast` after `::`"],
  ["wrong_clause", ">>test a::b", "          ^", "Found `b` after `::`"],
  ["wrong_clause", ":: 'npm test'", "   ^", "Found `'npm` after `::`"],
  ["wrong_clause", ':: code style:"x"', "   ^", "Found `code` after `::`"],
  ["wrong_clause", ':::"x"', "  ^", 'Found `:"x"` after `::`'],
  [
    "unknown_gate",
    ':: "a" :: Verify:"npm test"',
    "          ^",
    "There is no gate `Verify`; a command is written",
  ],
  ["unknown_gate", ':: verfy:"npm test"', "   ^", 'a command is written `verify:"…"`'],
  ["unknown_gate", ':: shell:"npm test"', "   ^", 'a criterion of that name is `"shell: …"`'],
  ["no_quote", ":: verify:npm test", "          ^", "Found `npm`; the command must be in double quotes"],
  ["no_quote", ':: verify: "npm test"', "          ^", "Found a space; the command must be"],
  ["no_quote", ':: verify::"a"', "          ^", 'Found `:"a"`; the command must be'],
  ["no_quote", ":: verify:", "          ^", "Found the end; the command must be in double quotes"],
  ["no_quote", ":: verify:“npm test”", "          ^", "Found `“npm`"],
  ["no_quote", ":: style:'x'", "         ^", "Found `'x'`; the criterion must be in double quotes"],
  [
    "unclosed_quote",
    ':: "a" :: verify:"npm test',
    "                 ^",
    "This quote is not closed; end the text",
  ],
  ["unclosed_quote", String.raw`:: verify:"a\"`, "          ^", 'Write a quote within it as `\\"`'],
  ["unclosed_quote", ':: verify:"a\\', "          ^", "write a backslash as `\\\\`"],
  [
    "unknown_escape",
    String.raw`:: verify:"a \d"`,
    "             ^",
    "Found `\\d`; write a backslash as `\\\\`",
  ],
  ["unknown_escape", String.raw`:: "\👍"`, "    ^", "Found `\\👍`"],
  ["after_quote", ':: verify:"grep "x" y"', "                 ^", 'Found `x"` after the closing quote'],
  ["after_quote", ':: verify:"a":fast', "             ^", "a space, `::` or the end must follow"],
  ["after_quote", ':: "a".', "      ^", "Found `.` after the closing quote"],
  ["blank", ':: verify:""', "          ^", "The command is blank; write it between the quotes"],
  ["blank", String.raw`:: verify:" \n"`, "          ^", "The command is blank"],
  ["blank", ':: verify:"\u3164"', "          ^", "The command is blank"],
  ["blank", ':: "x" :: " "', "          ^", "The criterion is blank"],
  ["blank", ':: style:""', "         ^", "The criterion is blank"],
  [
    "misplaced_option",
    ':: "a" :fast',
    "       ^",
    'Found `:fast` after a criterion; only `verify:"…"` takes',
  ],
  ["misplaced_option", ':: style:"a" max:3 :: "b"', "             ^", "Found `max:3` after a criterion"],
  [
    "unknown_option",
    ':: verify:"a" maxx:3',
    "              ^",
    "`maxx:3` is not an option; did you mean `max:N`?",
  ],
  ["unknown_option", ':: verify:"a" max=3', "              ^", "did you mean `max:N`?"],
  ["unknown_option", ':: verify:"a" :fsat', "              ^", "did you mean `:fast`?"],
  ["unknown_option", ':: verify:"a" fast', "              ^", "did you mean `:fast`?"],
  ["unknown_option", ':: verify:"a" :Full', "              ^", "did you mean `:full`?"],
  ["unknown_option", ':: verify:"a" time-out:3', "              ^", "did you mean `timeout:N`?"],
  [
    "unknown_option",
    ':: verify:"a" :constructor',
    "              ^",
    "a gate takes `max:N`, `timeout:N`, `:fast`, `:full`, `:extended`.",
  ],
  [
    "doubled_option",
    ':: verify:"a" max:3 max:3',
    "                    ^",
    "next to `max:3`; a gate takes `max` once",
  ],
  [
    "doubled_option",
    ':: verify:"a" timeout:3 :fast timeout:4',
    "                              ^",
    "next to `timeout:3`",
  ],
  [
    "two_presets",
    ':: verify:"a" :fast :full',
    "                    ^",
    "Found `:full` next to `:fast`; a gate takes one",
  ],
  ["two_presets", ':: verify:"a" :fast :fast', "                    ^", "Found `:fast` next to `:fast`"],
  [
    "out_of_range",
    ':: verify:"a" max:0',
    "                  ^",
    "Found `0`; `max` must be a whole number of attempts from 1 to 1000",
  ],
  ["out_of_range", ':: verify:"a" max:1001', "                  ^", "Found `1001`"],
  ["out_of_range", ':: verify:"a" max:2.5', "                  ^", "Found `2.5`"],
  ["out_of_range", ':: verify:"a" max:-1', "                  ^", "Found `-1`"],
  ["out_of_range", ':: verify:"a" max:"3"', "                  ^", 'Found `"3"`'],
  ["out_of_range", ':: verify:"a" max: 3', "                  ^", "Found no number"],
  [
    "out_of_range",
    ':: verify:"a" timeout:601',
    "                      ^",
    "`timeout` must be a whole number of seconds from 1 to 600",
  ],
  ["out_of_range", ':: verify:"a" timeout:30s', "                      ^", "Found `30s`"],
  ["out_of_range", ':: verify:"a" timeout:99999999999999999999', "                      ^", "from 1 to 600"],
  ["out_of_range", ':: verify:"a" timeout:1e2', "                      ^", "Found `1e2`"],
];

test.each(FAULTS)("%s: %s", (code, text, caret, said) => {
  const refusal = refusalOf(text);
  expect(refusal.code).toBe(code);
  expect(refusal.column).toBe(caret.length);
  const [head, line, below, ...explanation] = refusal.message.split("\n");
  expect(head).toBe(`The gates have a syntax error at column ${caret.length}:`);
  expect(line).toBe(`  ${text}`);
  expect(below).toBe(`  ${caret}`);
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
