import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packagePath } from "../../src/lib/package-root.ts";

/* Catches: a term of docs/vocabulary.md that the code does not use, and another word for a thing that has one. */

interface Term {
  readonly names: readonly string[];
  readonly not: readonly string[];
}

const listed = (cell = "") => cell.split(",").flatMap((name) => name.trim() || []);

const terms: readonly Term[] = readFileSync(packagePath("docs/vocabulary.md"), "utf8")
  .split("\n")
  .filter((line) => /^\| (?!term )/.test(line))
  .map((line) => line.split("|").slice(1, -1))
  .map(([names, _meaning, not]) => ({ names: listed(names), not: listed(not) }));

const code = new Map(
  ["src", "adapters"].flatMap((folder) =>
    readdirSync(packagePath(folder), { recursive: true, encoding: "utf8" })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => [file, wordsIn(readFileSync(packagePath(join(folder, file)), "utf8"))] as const),
  ),
);

/** The words of a text, those of identifiers apart: `EventRecord.leaf_hash` has four. */
function wordsIn(text: string): string {
  return ` ${(text.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? []).join(" ").toLowerCase()} `;
}

const uses = (words: string, name: string) => new RegExp(` ${wordsIn(name).trim()}s? `).test(words);

test("every term of the vocabulary is used in src", () => {
  expect(terms.length).toBeGreaterThan(50);
  const unused = terms
    .flatMap(({ names }) => names)
    .filter((name) => ![...code.values()].some((words) => uses(words, name)));
  expect(unused).toEqual([]);
});

test("no word is used in src that the vocabulary has another one for", () => {
  const found = terms.flatMap(({ names, not }) =>
    not.flatMap((other) =>
      [...code]
        .filter(([, words]) => uses(words, other))
        .map(([file]) => `${file}: ${other}, say ${names[0]}`),
    ),
  );
  expect(found).toEqual([]);
});

test("no term stands twice in the vocabulary, nor among the words that are not to be used", () => {
  const names = terms.flatMap((term) => term.names);
  const others = terms.flatMap((term) => term.not);
  expect(names.filter((name, index) => names.indexOf(name) < index || others.includes(name))).toEqual([]);
});

test.each([
  ["streamVersion", "stream version", true],
  ["event_types", "event type", true],
  ["// of all heads", "head", true],
  ["overhead, header", "head", false],
  ["stream. Its version", "version stream", false],
])("in %j the term %j is found: %s", (text, name, found) => {
  expect(uses(wordsIn(text), name)).toBe(found);
});
