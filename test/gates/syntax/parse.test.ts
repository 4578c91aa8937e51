import { expect, test } from "vitest";
import { type Clause, criteriaOf, gatesOf } from "../../../src/gates/syntax/gate-line.ts";
import { parseGateLine } from "../../../src/gates/syntax/parse.ts";

/* Catches: a command that would be run otherwise than it was written, or not at all. */
function gate(command: string, max = 5, timeout_s = 300): Clause {
  return { gate: { command, max, timeout_s } };
}

test("the line of the issue is understood: name, gates and criteria in their order", () => {
  const line = parseGateLine(
    '>>implement-feature :: verify:"npm test" :fast :: verify:"pytest -q" max:3 timeout:120 :: "follows coding standards"',
  );
  expect(line).toEqual({
    name: "implement-feature",
    clauses: [gate("npm test", 5, 30), gate("pytest -q", 3, 120), { criterion: "follows coding standards" }],
  });
  expect(gatesOf(line).map(({ command }) => command)).toEqual(["npm test", "pytest -q"]);
  expect(criteriaOf(line)).toEqual(["follows coding standards"]);
});

test.each([
  [':: verify:"npm test"', gate("npm test")],
  [':: verify:"npm test" :fast', gate("npm test", 5, 30)],
  [':: verify:"npm test" :full', gate("npm test", 5, 300)],
  [':: verify:"npm test" :extended', gate("npm test", 10, 600)],
  [':: verify:"npm test" max:3', gate("npm test", 3, 300)],
  [':: verify:"npm test" timeout:60', gate("npm test", 5, 60)],
  [':: verify:"npm test" timeout:60 max:1000', gate("npm test", 1000, 60)],
  [':: verify:"npm test" timeout:600 max:007', gate("npm test", 7, 600)],
])("%s sets its numbers, and defaults for the rest", (text, clause) => {
  expect(parseGateLine(text)).toEqual({ clauses: [clause] });
});

test.each([
  ["max:2 :fast", gate("npm test", 2, 30)],
  [":fast max:2", gate("npm test", 2, 30)],
  ["timeout:9 :extended", gate("npm test", 10, 9)],
  [":extended timeout:9 max:1", gate("npm test", 1, 9)],
  ["max:1 :extended timeout:9", gate("npm test", 1, 9)],
])("an option overrides a preset, in any order: %s", (options, clause) => {
  expect(parseGateLine(`:: verify:"npm test" ${options}`).clauses).toEqual([clause]);
});

test.each([
  [String.raw`:: verify:"grep \"a b\" x"`, gate('grep "a b" x')],
  [String.raw`:: verify:"grep '\\d' x"`, gate(String.raw`grep '\d' x`)],
  [String.raw`:: verify:"a\n\tb"`, gate("a\n\tb")],
  [String.raw`:: verify:"ends in \\"`, gate("ends in \\")],
  [':: verify:"cargo test a::b :: c"', gate("cargo test a::b :: c")],
  [':: verify:"echo verify:1 max:3 :fast"', gate("echo verify:1 max:3 :fast")],
  [':: verify:"a\tb"', gate("a\tb")],
  [':: verify:" a "', gate(" a ")],
  [":: verify:\"it's {} $HOME 'x'\"", gate("it's {} $HOME 'x'")],
  [':: verify:"größer 👩‍🔬"', gate("größer 👩‍🔬")],
])("quoted text is taken literally, except escapes: %s", (text, clause) => {
  expect(parseGateLine(text).clauses).toEqual([clause]);
});

test.each([
  [':: "a" :: "b"', ["a", "b"]],
  ['::"a"::"b"', ["a", "b"]],
  ['  ::\t"a"\u00a0:: "b"  ', ["a", "b"]],
  [':: style:"two spaces"', ["style: two spaces"]],
  [':: größe_2-x:"klein"', ["größe_2-x: klein"]],
  [':: "a :: \\"b\\""', ['a :: "b"']],
])("criteria are text, with their names in front: %s", (text, criteria) => {
  const line = parseGateLine(text);
  expect(criteriaOf(line)).toEqual(criteria);
  expect(gatesOf(line)).toEqual([]);
});

test("options end at the next clause, with a blank or without", () => {
  expect(parseGateLine(':: verify:"a" max:3::verify:"b" :fast::"c"').clauses).toEqual([
    gate("a", 3),
    gate("b", 5, 30),
    { criterion: "c" },
  ]);
});

test.each([
  [">>fix-bug", "fix-bug"],
  ["  >>  fix the bug  ", "fix the bug"],
  ['>>fix"bug :: "x"', 'fix"bug'],
  [">>>>fix", ">>fix"],
  ['>>fix: :: "x"', "fix:"],
])("the name is the text before the first ::, without >>: %s", (text, name) => {
  expect(parseGateLine(text).name).toBe(name);
});

test("the largest number of gates and criteria is accepted, and the longest texts", () => {
  const many = `${':: verify:"a" '.repeat(100)}${':: "b" '.repeat(100)}`;
  expect(parseGateLine(many).clauses).toHaveLength(200);
  const [command, name] = ["c".repeat(10_000), "n".repeat(500)];
  const long = `>>${name} :: verify:"${command}" :: ab:"${"t".repeat(1_996)}"`;
  expect(parseGateLine(long)).toEqual({
    name,
    clauses: [gate(command), { criterion: `ab: ${"t".repeat(1_996)}` }],
  });
});
