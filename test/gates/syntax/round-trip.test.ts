import fc from "fast-check";
import { expect, test } from "vitest";
import { gateDeclaration } from "../../../src/events/types/gates.ts";
import type { GateLine } from "../../../src/gates/syntax/gate-line.ts";
import { GateSyntaxError } from "../../../src/gates/syntax/gate-syntax-error.ts";
import { parseGateLine } from "../../../src/gates/syntax/parse.ts";
import { printGateLine } from "../../../src/gates/syntax/print.ts";
import { isBlank } from "../../../src/lib/blank.ts";

/* Catches: what is declared otherwise than it was written, and a text on which the parser itself fails. */
test.each([
  [
    '  >>fix  ::verify:"npm test"   timeout:30 max:5::style:"a\tb"',
    '>>fix :: verify:"npm test" :fast :: "style: a\\tb"',
  ],
  [':: verify:"a" :full', ':: verify:"a"'],
  [':: verify:"a" max:10 timeout:600', ':: verify:"a" :extended'],
  [':: verify:"a" :extended timeout:300', ':: verify:"a" max:10'],
  [':: verify:"a" timeout:7', ':: verify:"a" timeout:7'],
  [':: verify:"a" timeout:7 max:9', ':: verify:"a" max:9 timeout:7'],
  [String.raw`:: verify:"a \"b\" \\ \n"`, String.raw`:: verify:"a \"b\" \\ \n"`],
  [">>fix", ">>fix"],
])("%s has the canonical form %s", (text, canonical) => {
  expect(printGateLine(parseGateLine(text))).toBe(canonical);
  expect(printGateLine(parseGateLine(canonical))).toBe(canonical);
});

test("a line that is printed is parsed to the same line", () => {
  fc.assert(
    fc.property(lines, (line) => {
      expect(parseGateLine(printGateLine(line))).toEqual(line);
    }),
    { numRuns: 1_000 },
  );
});

test("5,000 random texts parse and round-trip, or are refused with a position", () => {
  const seen = { understood: 0, refused: new Set<string>() };
  fc.assert(
    fc.property(fc.oneof({ arbitrary: nearlyLines, weight: 9 }, anyText), (text) => {
      const line = understood(text);
      if (line instanceof GateSyntaxError) {
        seen.refused.add(line.code);
        expect(line.column).toBeGreaterThanOrEqual(1);
        expect(line.column).toBeLessThanOrEqual([...text].length + 1);
        return;
      }
      seen.understood += 1;
      expect(parseGateLine(printGateLine(line))).toEqual(line);
      for (const clause of line.clauses) if ("gate" in clause) gateDeclaration.parse(clause.gate);
    }),
    { numRuns: 5_000 },
  );
  expect(seen.understood).toBeGreaterThan(100);
  expect(seen.refused.size).toBeGreaterThan(10);
});

function understood(text: string): GateLine | GateSyntaxError {
  try {
    return parseGateLine(text);
  } catch (error) {
    if (error instanceof GateSyntaxError) return error;
    throw error;
  }
}

/** Characters that are likely to be taken for something else, and any others. */
const character = fc.oneof(
  fc.constantFrom('"', "\\", ":", ">", "n", "t", " ", "'", "{", "$"),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 }),
);
const says = fc
  .string({ unit: character, minLength: 1, maxLength: 30 })
  .filter((text) => !isBlank(text) && !/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(text));
const quotable = fc
  .array(fc.oneof(says, fc.constantFrom("\n", "\t")), { minLength: 1, maxLength: 5 })
  .map((parts) => parts.join(""))
  .filter((text) => !isBlank(text));

const gate = fc.record({
  command: quotable,
  max: fc.oneof(fc.constantFrom(5, 10), fc.integer({ min: 1, max: 1_000 })),
  timeout_s: fc.oneof(fc.constantFrom(30, 300, 600), fc.integer({ min: 1, max: 600 })),
});
const lines: fc.Arbitrary<GateLine> = fc
  .record(
    {
      name: says.map((text) => text.trim()).filter((text) => !text.includes("::")),
      clauses: fc.array(
        fc.oneof(
          gate.map((one) => ({ gate: one })),
          quotable.map((criterion) => ({ criterion })),
        ),
        { maxLength: 6 },
      ),
    },
    { requiredKeys: ["clauses"] },
  )
  .filter(({ name, clauses }) => name !== undefined || clauses.length > 0);

/** Pieces of the grammar, some of them out of place. */
const piece = fc.oneof(
  { arbitrary: fc.constantFrom(" :: ", ' :: verify:"npm test"', ' :: "follows standards"', " "), weight: 4 },
  fc.constantFrom(
    "::",
    "verify:",
    '"',
    "\\",
    '"a"',
    '\\"',
    "\\n",
    "\\x",
    ">>",
    ">>fix",
    'style:"a"',
    '""',
    "\t",
    "\n",
  ),
  fc.constantFrom(
    " :fast",
    " :full",
    ":extended",
    " max:3",
    " max:",
    " timeout:60",
    "0",
    "9999",
    "verfy:",
    "max",
    "é",
  ),
  fc.string({ maxLength: 3 }),
);
const nearlyLines = fc
  .array(piece, { maxLength: 8 })
  .map((pieces) => pieces.join(""))
  .chain((rest) => fc.constantFrom(rest, `::${rest}`, `:: verify:"x"${rest}`, `>>a ${rest}`));
/** UTF-16 units, halves of surrogate pairs among them. */
const anyText = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 })
  .map((units) => String.fromCharCode(...units));
