import { expect, test } from "vitest";
import { keptLearning } from "../../src/queries/kept-learning.ts";
import { listLearnings, pageOfLearnings } from "../../src/queries/learnings.ts";
import { event } from "./board/history.ts";
import { learned } from "./given.ts";
import { reduced, task } from "./loop-drafts.ts";

/* Catches: an operator that a search takes from its words, a learning under a feature that it is not of. */

const told = (text: string, feature?: string) =>
  event("learning.added", {
    text,
    kind: "convention",
    source: "human",
    ...(feature !== undefined && { feature }),
  });

async function givenLearnings() {
  return reduced(
    task(1, { feature: "reports" }),
    learned("Exports are written in chunks.", { task: 1 }),
    told("Redis keeps the exports for an hour.", "core"),
    told("Times are in UTC."),
    learned("The mock answers late.", { task: 1, scope: "task", rationale: "It exports twice." }),
    told("times are in utc"),
  );
}

test("learnings are listed once each, with their scope, ordered by id", async () => {
  expect(listLearnings(await givenLearnings())).toMatchObject([
    { id: 2, scope: "feature", feature: "reports", task_id: 1, kind: "discovery", confirmations: 1 },
    { id: 3, scope: "feature", feature: "core", task_id: null, kind: "convention" },
    { id: 4, scope: "project", feature: null, confirmations: 2, text: "Times are in UTC." },
    { id: 5, scope: "task", feature: "reports", task_id: 1, rationale: "It exports twice." },
  ]);
});

test.each([
  ["a scope", { scope: "feature" }, [2, 3]],
  ["a feature", { feature: "reports" }, [2, 5]],
  ["both", { scope: "task", feature: "reports" }, [5]],
  ["a word, or its beginning, also of the rationale", { search: "export" }, [2, 3, 5]],
  ["all of several words", { search: "redis HOUR" }, [3]],
  ["words in a feature", { search: "exports", feature: "core" }, [3]],
  ["words that are operators elsewhere", { search: 'redis OR "late* NEAR(' }, []],
  ["no words at all", { search: " !? " }, []],
] as const)("learnings can be had by %s", async (_what, filter, ids) => {
  const found = listLearnings(await givenLearnings(), filter).map(({ id }) => id);
  expect(found.sort((a, b) => a - b)).toEqual(ids);
});

test("with a search the best match comes first", async () => {
  const readModel = await reduced(
    told("Redis is one of many things here, and the least of them all by far."),
    told("Redis, redis."),
  );
  expect(listLearnings(readModel, { search: "redis" }).map(({ id }) => id)).toEqual([2, 1]);
});

test("a page after a learning that the search does not find is refused, not empty", async () => {
  const readModel = await givenLearnings();
  const [first, ...others] = listLearnings(readModel, { search: "export" });
  expect(listLearnings(readModel, { search: "export", after: first?.id })).toEqual(others);
  for (const after of [4, 99])
    expect(() => listLearnings(readModel, { search: "export", after })).toThrow(
      `"${after}" is not a key that a page of this list ends with`,
    );
});

test("a learning is found by the words of any of its sources", async () => {
  const readModel = await reduced(
    task(1, { feature: "reports" }),
    learned("Run the suite before you push anything to the branch.", { task: 1 }),
    learned("Run the suite before you push anything to the branch!", {
      task: 1,
      rationale: "A broken trunk stops everybody.",
    }),
  );
  expect(listLearnings(readModel, { search: "trunk" })).toMatchObject([{ id: 2, confirmations: 2 }]);
  const page = pageOfLearnings(readModel, { search: "trunk suite" }, { row: 0, limit: 10 });
  expect(page).toMatchObject({ total: 1, found: 1, rows: [{ id: 2 }] });
});

test("a page lists pinned entries first and retired ones last, and counts every filter", async () => {
  const mark = (learning: number, to: "pinned" | "retired") =>
    event("learning.marked", { learning, mark: to });
  const readModel = await reduced(
    told("Times are in UTC."),
    told("Redis keeps the exports for an hour.", "core"),
    told("Exports are written in chunks.", "core"),
    told("The mock answers late.", "core"),
    mark(1, "retired"),
    mark(4, "pinned"),
    told("Redis keeps the exports for an hour.", "core"),
  );
  const page = (choice: object, row = 0, limit = 10) => pageOfLearnings(readModel, choice, { row, limit });
  const idsOf = (...asked: Parameters<typeof page>) => page(...asked).rows.map(({ id }) => id);
  expect(idsOf({})).toEqual([4, 2, 3, 1]);
  expect(idsOf({}, 1, 2)).toEqual([2, 3]);
  expect(idsOf({ scope: "feature", mark: "none" })).toEqual([2, 3]);
  expect(idsOf({ search: "export" })).toEqual([2, 3]);
  expect(idsOf({ search: " !? " })).toEqual([]);
  expect(page({ search: "export", mark: "pinned" })).toMatchObject({
    total: 4,
    found: 0,
    counts: [{ scope: "feature", kind: "convention", mark: "none", learnings: 2 }],
  });
  expect(page({ kind: "convention", scope: "project" })).toMatchObject({ found: 1, rows: [{ id: 1 }] });
});

test("each report is known to be an entry of its own or a confirmation of one", async () => {
  const readModel = await givenLearnings();
  const text = "Times are in UTC.";
  expect(keptLearning(readModel, 4)).toEqual({ learning: 4, joined: false, confirmations: 1, text });
  expect(keptLearning(readModel, 6)).toEqual({ learning: 4, joined: true, confirmations: 2, text });
  expect(() => keptLearning(readModel, 1)).toThrow("There is no learning at position 1.");
});
