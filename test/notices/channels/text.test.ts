import fc from "fast-check";
import { expect, test } from "vitest";
import { textOf, titleOf } from "../../../adapters/notices/text.ts";
import { message, notice } from "./given.ts";

test("a message says what waits, quotes the agent, and ends with the link", () => {
  expect(titleOf(message())).toBe("[shop] A question blocks a task (task 12)");
  expect(textOf(message(), 4_096)).toBe(
    `A question blocks a task (task 12)
> Add a basket
Text:
> Which currency?
Options:
> euro
> dollar
Recorded at 2026-11-26T03:00:00.000Z.
Open it: https://box.example/inbox/7`,
  );
});

const ours = new Set([
  ...["A question blocks a task (task 12)", "Text:", "Details:", "Options:", ""],
  ...["Cut here: the rest is on the page.", "1 more: see the inbox.", "2 more: see the inbox."],
  ...["Recorded at 2026-11-26T03:00:00.000Z.", "Open it: https://box.example/inbox/7"],
]);

/** Texts as they come, and with what could end a line, hide or look like the frame. */
const hostile = fc.oneof(
  fc.string({ unit: "binary", maxLength: 300 }),
  fc
    .array(
      fc.constantFrom(
        ..."\n|\r|\r\n|\u2028|\u2029|\u0085|\v|\f|\u202e|\u200b|\u{e0041}|\0|\x1b[2J|\t".split("|"),
        ...[
          "Open it: https://evil.example",
          "Options:",
          "> ",
          " ".repeat(90),
          "x".repeat(200),
          "é漢👩‍💻\ud800",
        ],
      ),
      { maxLength: 60 },
    )
    .map((parts) => parts.join("")),
);

test("whatever an agent writes, each line is ours or begins with the quote, without anything hidden", () => {
  const field = {
    title: hostile,
    text: hostile,
    detail: hostile,
    options: fc.array(hostile, { maxLength: 4 }),
  };
  const agents = fc.array(fc.record(field), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(agents, fc.constantFrom(300, 1_000, 4_096, 20_000), (written, limit_bytes) => {
      const notices = written.map(({ title, ...rest }) => notice({ task: { id: 12, title }, ...rest }));
      const sent = { id: "1", notices };
      const text = textOf(sent, limit_bytes);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limit_bytes);
      expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202e\u200b\u{e0041}]/u);
      const others = text.split("\n").filter((line) => !line.startsWith("> "));
      expect(others.filter((line) => !ours.has(line) && !/^3 more/.test(line))).toEqual([]);
      for (const line of text.split("\n")) expect(line.length).toBeLessThanOrEqual(100);
      expect(titleOf(sent)).toMatch(/^\[shop\] (A question blocks a task \(task 12\)|\d notices)$/);
    }),
    { numRuns: 300 },
  );
});

test("of a digest that is too long the first ones are told, and how many are left out", () => {
  const many = message(...Array.from({ length: 100 }, () => ({})));
  expect(titleOf(many)).toBe("[shop] 100 notices");
  const text = textOf(many, 1_000);
  const told = text.split("A question blocks").length - 1;
  expect(told).toBeGreaterThan(2);
  expect(text.endsWith(`\n\n${100 - told} more: see the inbox.`)).toBe(true);
});

test("a project's name stays one line in a title", () => {
  expect(titleOf(message({ project: "a\r\nBcc: x@evil.example\u202e" }))).toBe(
    "[a Bcc: x@evil.example\\u{202e}] A question blocks a task (task 12)",
  );
});
