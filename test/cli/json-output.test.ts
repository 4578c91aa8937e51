import fc from "fast-check";
import { expect, test } from "vitest";
import { quoteLine } from "../../src/lib/terminal/output.ts";
import { visibleJson } from "../../src/lib/visible.ts";
import { addComment } from "../../src/operations/comments.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { signalbox } from "../support/cli.ts";
import { freshProject } from "../support/project.ts";

/* Catches: a text in the log that acts on the terminal of whoever looks at JSON, and a character that is cut in two. */
const ACTS = /[\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/u;

test("JSON on stdout has no raw control or bidi character, and says the same", async () => {
  const { project, folder: cwd } = await freshProject();
  const title = "a\u009b31mb\u202ec\u2028d\u{e0041}e";
  await project.decide(createTask({ title }));
  await project.decide(addComment({ task: 1, author: "me", body: title }));
  for (const args of [
    ["task", "list", "--json"],
    ["task", "show", "1", "--json"],
    ["log", "--json"],
  ]) {
    const { stdout } = await signalbox(args, { cwd });
    expect(stdout).not.toMatch(ACTS);
    expect(stdout).toContain("a\\u009b31mb\\u202ec\\u2028d\\udb40\\udc41e");
    const values = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(JSON.stringify(values)).toContain(JSON.stringify(title));
  }
});

test("visible JSON parses to the same value", () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: "binary" }), fc.constantFrom(undefined, 2), (value, indent) => {
      const text = visibleJson(value, indent);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      expect(text).not.toMatch(ACTS);
    }),
  );
});

test.each([
  ["an emoji of one pair", "😀".repeat(20), 10, "😀😀😀😀…"],
  ["an emoji of a family", "👩‍👩‍👧‍👦".repeat(20), 6, "👩‍👩‍👧‍👦👩‍👩‍👧‍👦…"],
  ["a flag", "🇩🇪🇫🇷🇮🇹", 5, "🇩🇪🇫🇷…"],
  ["a letter and its accent", "e\u0301".repeat(9), 4, `${"e\u0301".repeat(3)}…`],
  ["letters of two columns", "日本語日本語", 7, "日本語…"],
  ["what fits", "👩‍👩‍👧‍👦 ok", 5, "👩‍👩‍👧‍👦 ok"],
  ["plain letters", "abcdefgh", 5, "abcd…"],
])("a line is not cut within %s", (_what, text, width, shown) => {
  expect(quoteLine(text, width)).toBe(shown);
});

test("a truncated line ends at a whole character", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme", maxLength: 60 }),
      fc.integer({ min: 1, max: 30 }),
      (text, width) => {
        expect(quoteLine(text, width).isWellFormed()).toBe(true);
      },
    ),
  );
});

test("JSON of undefined is null", () => {
  expect(visibleJson(undefined)).toBe("null");
});
