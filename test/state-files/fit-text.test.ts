import fc from "fast-check";
import { expect, test } from "vitest";
import { fitText } from "../../src/workspace/state-files/fit-text.ts";
import { type Section, type StateText, wholeText } from "../../src/workspace/state-files/state-text.ts";

/* Catches: a text that is longer than it may be, something left out in silence, half a character. */

const ALL = "All of it: x.txt";

const entries = (count: number, length: number, name = "entry"): string[][] =>
  Array.from({ length: count }, (_, index) => [`${name} ${index + 1} ${"x".repeat(length)}`]);

const given = (...sections: Partial<Section>[]): StateText => ({
  head: ["# Head"],
  sections: sections.map((section, index) => ({
    title: `Section ${index + 1}`,
    entries: [],
    keep: "first",
    ...section,
  })),
});

test("a text that fits is unchanged", () => {
  const text = given({ entries: entries(3, 10) });
  expect(fitText(text, wholeText(text).length, ALL)).toEqual({ text: wholeText(text), whole: true });
  expect(fitText(text, Number.POSITIVE_INFINITY, ALL).whole).toBe(true);
});

test("of a section that is too long the entries stay that matter most, and it says how many are missing", () => {
  const many = entries(100, 30);
  const first = fitText(given({ entries: many, keep: "first" }), 2_000, ALL);
  expect(first.whole).toBe(false);
  expect(first.text).toMatch(/## Section 1\n\nentry 1 x+\n[^[]*\n\[… \d+ entries left out here\]\n/);
  const last = fitText(given({ entries: many, keep: "last" }), 2_000, ALL);
  expect(last.text).toMatch(/## Section 1\n\n\[… \d+ entries left out here\]\n[^[]*\nentry 100 x+\n/);
  for (const { text } of [first, last]) {
    const [, missing] = /… (\d+) entries/.exec(text) ?? [];
    expect((text.match(/^entry/gm) ?? []).length + Number(missing)).toBe(100);
    expect(text.endsWith("\n\n[… something was left out. All of it: x.txt]\n")).toBe(true);
  }
});

test("a short section stays complete beside a long one, and uses only the room it needs", () => {
  const { text } = fitText(
    given({ entries: entries(1_000, 30, "long") }, { entries: entries(5, 30, "short"), keep: "last" }),
    4_000,
    ALL,
  );
  expect(text.match(/^short/gm)).toHaveLength(5);
  expect(text.length).toBeGreaterThan(3_800);
});

test("a long entry loses its end, which says how much", () => {
  for (const begin of ["even", "odd"]) {
    const long = [begin, `  ${"😀".repeat(5_000)}`];
    const { text } = fitText(given({ entries: [long, ["next"]] }), 3_000, ALL);
    const [, left] = /\[… (\d+) characters left out here\]\nnext\n/.exec(text) ?? [];
    expect(Number(left) + 2 * (text.match(/😀/gu) ?? []).length).toBe(10_000);
    expect(text).not.toMatch(/\p{Surrogate}/u);
  }
});

test("if not all sections fit, the first are shown, and the number of the others", () => {
  const { text } = fitText(
    given(...Array.from({ length: 300 }, () => ({ entries: entries(9, 90) }))),
    6_000,
    ALL,
  );
  const shown = (text.match(/^## Section/gm) ?? []).length;
  expect(shown).toBeGreaterThan(5);
  expect(text).toContain(`\n\n[… ${300 - shown} more sections left out here]\n\n[… something`);
});

test("a text that leaves sections out keeps to every limit, also where its entries fill the room", () => {
  const crumbs = Array.from({ length: 900 }, () => ["x"]);
  const sections = Array.from({ length: 20 }, () => ({ entries: crumbs }));
  for (let limit = 2_000; limit < 2_700; limit++) {
    expect(fitText(given(...sections), limit, ALL).text.length).toBeLessThanOrEqual(limit);
  }
});

test("any text keeps to its limit, and is complete or says that it is not", () => {
  const line = fc.string({ unit: "grapheme", maxLength: 60 }).map((text) => text.replaceAll("\n", " "));
  const section = fc.record({
    title: fc.oneof(line, fc.constant("t".repeat(900))),
    entries: fc.oneof(
      fc.integer({ min: 0, max: 500 }).map((count) => entries(count, 1)),
      fc.array(
        fc.oneof(
          fc.array(line, { minLength: 1, maxLength: 4 }),
          fc.integer({ min: 1, max: 20_000 }).map((length) => ["y".repeat(length)]),
        ),
        { maxLength: 40 },
      ),
    ),
    keep: fc.constantFrom("first" as const, "last" as const),
  });
  fc.assert(
    fc.property(
      fc.array(section, { maxLength: 12 }),
      fc.integer({ min: 2_000, max: 20_000 }),
      (sections, limit) => {
        const text = { head: ["# Head"], sections };
        const fitted = fitText(text, limit, ALL);
        expect(fitted.text.length).toBeLessThanOrEqual(limit);
        expect(fitted.whole).toBe(wholeText(text).length <= limit);
        expect(fitted.text.includes(ALL)).toBe(!fitted.whole);
        expect(fitText(text, limit, ALL)).toEqual(fitted);
      },
    ),
    { numRuns: 300 },
  );
});
