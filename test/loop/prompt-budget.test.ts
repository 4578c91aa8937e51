import fc from "fast-check";
import { expect, test } from "vitest";
import { buildPrompt } from "../../src/loop/prompt/build.ts";
import type { Prompt } from "../../src/loop/prompt/part.ts";
import { PromptError } from "../../src/loop/prompt/prompt-error.ts";
import { addComment } from "../../src/operations/comments.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { ReadModel } from "../../src/read-model/read-model.ts";
import { histories } from "../properties/commands.ts";
import { reduceInto } from "../properties/reducing.ts";
import { eventsOf } from "../properties/runs.ts";
import { coded } from "../support/refusal.ts";
import { givenProject, linesOf, partOf, type Said } from "./given.ts";

/* Catches: a prompt above its budget, one that differs between two looks, the wrong entries cut, a cut that is not told. */

const budgets = fc.oneof(fc.integer({ min: 700, max: 1_300 }), fc.integer({ min: 1, max: 20_000 }));

test("after any history, a prompt keeps to its budget, and the same log gives the same bytes", async () => {
  let built = 0;
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(histories, budgets, async (history, tokens) => {
      const events = await eventsOf(history);
      const [first, second] = [new ReadModel(":memory:"), new ReadModel(":memory:")];
      reduceInto(first, events);
      for (const event of events) second.advance([event], event.position);
      const tasks = first.database.prepare<[], number>("SELECT id FROM tasks").pluck().all();
      for (const task of tasks) {
        const prompt = builtOrTooLarge(() => buildPrompt(first, { task, tokens, session: "s-9" }));
        const again = builtOrTooLarge(() => buildPrompt(second, { task, tokens, session: "s-9" }));
        expect(again).toEqual(prompt);
        if (prompt === undefined) refused += 1;
        else {
          built += 1;
          checkSums(prompt, events.length);
        }
      }
      first.close();
      second.close();
    }),
    { numRuns: 40 },
  );
  expect(Math.min(built, refused)).toBeGreaterThan(2);
});

test("with any texts, a prompt keeps to its budget and says what it cut", async () => {
  const said = fc.array(
    fc.tuple(fc.constantFrom("learned", "flag", "comment"), fc.integer({ min: 1, max: 900 })),
    {
      minLength: 10,
      maxLength: 60,
    },
  );
  await fc.assert(
    fc.asyncProperty(said, fc.integer({ min: 850, max: 4_000 }), async (things, tokens) => {
      const given = await givenProject();
      await given.decides(createTask({ title: "A word", feature: "core", discipline: "backend" }));
      const texts = things.map(
        ([what, words], index) => [what, `${index} ${"word\n".repeat(words)}end`] as const,
      );
      await given.session(
        "s-1",
        1,
        texts.flatMap(([what, text]): Said[] => {
          if (what === "learned") return [["learned", { text, kind: "discovery", scope: "project" }]];
          return what === "flag" ? [["flag", { what: text, severity: "info", category: "bug" }]] : [];
        }),
      );
      for (const [what, body] of texts) {
        if (what === "comment") await given.decides(addComment({ task: 1, author: "Ada", body }));
      }
      const prompt = given.prompt(1, { tokens });
      checkSums(prompt, await given.head());
      const entries = prompt.parts.reduce((count, part) => count + part.entries.length, 0);
      const taken = prompt.parts.reduce((count, part) => count + part.taken.length, 0);
      expect(prompt.cut).toBe(entries - taken);
      for (const part of prompt.parts) {
        expect([...part.taken, ...part.cut], part.name).toEqual(part.entries);
        const told =
          prompt.text.split(`\n(${part.cut.length} more were left out for lack of room.)`).length > 1;
        expect(told || part.cut.length === 0 || part.taken.length === 0, part.name).toBe(true);
      }
    }),
    { numRuns: 40 },
  );
});

test("filled with small things to the last character, a prompt is never above its budget", async () => {
  const given = await givenProject();
  await given.decides(createTask({ title: "A word", feature: "core", discipline: "backend" }));
  const said = Array.from({ length: 90 }, (_, index): Said => {
    const text = `${index} word${"s".repeat(index % 5)}`;
    if (index % 3 === 0) return ["flag", { what: text, severity: "info", category: "bug" }];
    return ["learned", { text, kind: "discovery", scope: index % 3 === 1 ? "project" : "feature" }];
  });
  await given.session("s-1", 1, said);
  for (let index = 0; index < 30; index++) {
    await given.decides(addComment({ task: 1, author: "Ada", body: "x".repeat(index) || "y" }));
  }
  let least = Number.MAX_SAFE_INTEGER;
  for (let tokens = 900; tokens < 1_500; tokens++) {
    const { characters, cut } = given.prompt(1, { tokens });
    expect(characters).toBeLessThanOrEqual(tokens * 4);
    expect(cut).toBeGreaterThan(0);
    least = Math.min(least, tokens * 4 - characters);
  }
  expect(least).toBeLessThan(200);
});

test("the least relevant learnings are cut first, and are not among the positions", async () => {
  const given = await givenProject();
  await given.decides(createTask({ title: "Export orders", feature: "core", discipline: "backend" }));
  const said = Array.from({ length: 40 }, (_, index) => `Fact ${index} ${"of no matter ".repeat(8)}`);
  await given.session("s-1", 1, [
    ["learned", { text: "Orders have an export date.", kind: "discovery", scope: "project" }],
    ...said.map((text) => ["learned", { text, kind: "discovery", scope: "project" }] as const),
  ]);
  const prompt = given.prompt(1, { tokens: 1_500 });
  const { taken, cut, entries } = partOf(prompt, "project_learnings");
  expect(taken.length).toBeGreaterThan(3);
  expect(cut.length).toBeGreaterThan(3);
  expect(entries[0]?.text).toContain("Orders have an export date.");
  expect(linesOf(prompt, "project_learnings")[1]).toBe("> Orders have an export date.");
  const newest = (entry: { positions: readonly number[] }) => entry.positions[0] ?? 0;
  expect(Math.min(...taken.slice(1).map(newest))).toBeGreaterThan(Math.max(...cut.map(newest)));
  expect(prompt.positions).not.toEqual(
    expect.arrayContaining(cut.flatMap(({ positions }) => [...positions])),
  );
  expect(linesOf(prompt, "project_learnings").at(-1)).toBe(
    `(${cut.length} more were left out for lack of room.)`,
  );
});

test("many comments leave room for flags and learnings", async () => {
  const given = await givenProject();
  await given.decides(createTask({ title: "Export", feature: "core", discipline: "backend" }));
  await given.session("s-1", 1, [
    ["learned", { text: "Times are in UTC.", kind: "discovery" }],
    ...[1, 2, 3].map((number): Said => {
      return ["flag", { what: `${number} ${"is broken ".repeat(50)}`, severity: "info", category: "bug" }];
    }),
  ]);
  for (let index = 0; index < 60; index++) {
    await given.decides(addComment({ task: 1, author: "Ada", body: `${index} ${"again and ".repeat(40)}` }));
  }
  const prompt = given.prompt(1, { tokens: 2_000 });
  expect(partOf(prompt, "feature_learnings").taken).toHaveLength(1);
  expect(partOf(prompt, "flags").taken.length).toBeGreaterThan(1);
  expect(partOf(prompt, "comments").taken[0]?.text).toContain("| 59 ");
});

test("required parts that do not fit are an error with the sizes", async () => {
  const given = await givenProject();
  const criteria = Array.from({ length: 40 }, (_, index) => `${index} ${"must be true ".repeat(100)}`);
  await given.decides(createTask({ title: "Export", feature: "core", discipline: "backend", criteria }));
  expect(() => given.prompt(1, { tokens: 4_000 })).toThrow(
    expect.objectContaining(
      coded("too_large", /about \d+ tokens .*instructions \d+.*task \d+.*; the budget is 4000\./),
    ),
  );
  expect(given.prompt(1, { tokens: 40_000 }).cut).toBe(0);
});

test("one long text is shortened, visibly, and leaves the rest its room", async () => {
  const given = await givenProject();
  const description = `begin ${"x".repeat(90_000)} end`;
  await given.decides(createTask({ title: "Export", description, feature: "core", discipline: "backend" }));
  const prompt = given.prompt(1, { tokens: 2_000 });
  expect(prompt.text).toMatch(/x\n\| \[… \d+ characters left out here …\]\n\| x+ end\n/);
  expect(prompt.tokens).toBeLessThanOrEqual(2_000);
});

function builtOrTooLarge(build: () => Prompt): Prompt | undefined {
  try {
    return build();
  } catch (error) {
    if (error instanceof PromptError && error.code === "too_large") return undefined;
    throw error;
  }
}

function checkSums({ text, characters, tokens, budget, positions }: Prompt, head: number): void {
  expect(characters).toBe(text.length);
  expect(tokens).toBe(Math.ceil(text.length / 4));
  expect(tokens).toBeLessThanOrEqual(budget);
  expect(positions).toEqual([...new Set(positions)].sort((a, b) => a - b));
  expect(positions.every((position) => position >= 1 && position <= head)).toBe(true);
}
