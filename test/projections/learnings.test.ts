import fc from "fast-check";
import { expect, test } from "vitest";
import { openMemoryLog } from "../../src/events/memory-log.ts";
import type { Draft } from "../../src/events/types/index.ts";
import { learnings } from "../../src/projections/learnings.ts";
import { digestOf } from "../../src/projections/same-words.ts";
import { catchUp } from "../../src/read-model/worker.ts";
import { environmentAt, NOON } from "../events/given.ts";
import { event } from "./board/history.ts";
import { givenFreshReadModel, learned } from "./given.ts";
import { task } from "./loop-drafts.ts";

/* Catches: a source that is dropped with its duplicate, a correction that is joined with what it corrects, realms that mix. */

async function givenLearned(...events: readonly Draft[]) {
  const log = openMemoryLog(environmentAt({ now: NOON }, "learnings"));
  await log.append(events);
  const readModel = givenFreshReadModel([learnings]);
  await catchUp(readModel, log);
  const { database } = readModel;
  return {
    entries: database.prepare<[], Entry>("SELECT * FROM learnings ORDER BY id").all(),
    sources: database.prepare<[], Source>("SELECT * FROM learning_sources ORDER BY id").all(),
  };
}

interface Said {
  readonly id: number;
  readonly text: string;
  readonly scope: string;
  readonly task_id: number | null;
  readonly created: string;
}

interface Entry extends Said {
  readonly agent_words: 0 | 1;
  readonly rationale: string | null;
  readonly confirmations: number;
  readonly last_confirmed: string;
}

interface Source extends Said {
  readonly learning_id: number;
  readonly session_id: string | null;
  readonly source: string;
}

test("repeated words merge under the first entry, with every source in its own spelling", async () => {
  const said = [
    "The test database must be migrated before the suite is run.",
    "the test database MUST be migrated before the suite is run",
    "**The test database** must be migrated before the suite is run!",
    "Rows are written in chunks.",
  ];
  const { entries, sources } = await givenLearned(
    ...said.map((text, index) => learned(text, { session: `s-${index}`, task: index + 1, scope: "project" })),
  );
  expect(entries.map(({ id, text, confirmations }) => [id, text, confirmations])).toEqual([
    [1, said[0], 3],
    [4, said[3], 1],
  ]);
  expect(
    sources.map(({ learning_id, session_id, task_id, text }) => [learning_id, session_id, task_id, text]),
  ).toEqual([
    [1, "s-0", 1, said[0]],
    [1, "s-1", 2, said[1]],
    [1, "s-2", 3, said[2]],
    [4, "s-3", 4, said[3]],
  ]);
});

test("an entry keeps when it was said first and last", async () => {
  const { entries, sources } = await givenLearned(learned("Twice."), learned("Once."), learned("twice"));
  expect(entries[0]?.created).toBe(sources[0]?.created);
  expect(entries[0]?.last_confirmed).toBe(sources[2]?.created);
  expect(entries[1]?.last_confirmed).toBe(entries[1]?.created);
});

test.each([
  ["Use tabs, never spaces", "Use spaces, never tabs"],
  ["Use port 8080 for the API and 9090 for metrics", "Use port 9090 for the API and 8080 for metrics"],
  ["The shared cache is safe for threads", "The shared cache is not safe for threads"],
  ["Retry a failing upload 3 times", "Retry a failing upload 5 times"],
  ["is safe", "is not safe"],
])("%j and %j stay apart", async (a, b) => {
  const { entries } = await givenLearned(learned(a), learned(b), learned(a.toUpperCase()));
  expect(entries.map(({ text, confirmations }) => [text, confirmations])).toEqual([
    [a, 2],
    [b, 1],
  ]);
});

test("the same words are one entry within a scope, and several in several", async () => {
  const said = "Times are in UTC.";
  const { entries } = await givenLearned(
    task(1, { feature: "reports" }),
    task(2, { feature: "reports" }),
    task(3, { feature: "audit" }),
    learned(said, { task: 1 }),
    learned(said, { task: 2, scope: "feature" }),
    learned(said, { task: 3 }),
    learned(said, { task: 1, scope: "project" }),
    learned(said, { task: 3, scope: "project" }),
    learned(said, { task: 1, scope: "task" }),
    learned(said, { task: 2, scope: "task" }),
  );
  expect(entries.map(({ scope, task_id, confirmations }) => [scope, task_id, confirmations])).toEqual([
    ["feature", 1, 2],
    ["feature", 3, 1],
    ["project", 1, 2],
    ["task", 1, 1],
    ["task", 2, 1],
  ]);
});

/** Something that was learned, told by other means than the verb. */
function added(
  text: string,
  more: Partial<Draft<"learning.added">["payload"]> = {},
  by: { actor?: string; correlation?: string } = {},
): Draft {
  const payload = { text, kind: "discovery", source: "human", ...more } as const;
  return { type: "learning.added", actor: "human", ...by, payload };
}

test("learnings with and without a verb merge within a feature, in either order", async () => {
  const { entries, sources } = await givenLearned(
    task(1, { feature: "reports" }),
    learned("Times are in UTC.", { task: 1, session: "s-1" }),
    added("times are in UTC", { feature: "reports", reason: "Seen.", task: 1 }),
    added("Rows come in chunks of 100.", { feature: "reports", source: "auto" }),
    learned("Rows come in chunks of 100!", { task: 1, session: "s-2" }),
    added("Rows come in chunks of 50.", { feature: "reports" }),
    added("Times are in UTC.", { feature: "audit" }),
    added("Times are in UTC."),
    learned("Times are in UTC.", { task: 1, session: "s-2", scope: "project" }),
  );
  expect(entries.map(({ id, scope, task_id, confirmations }) => [id, scope, task_id, confirmations])).toEqual(
    [
      [2, "feature", 1, 2],
      [4, "feature", null, 2],
      [6, "feature", null, 1],
      [7, "feature", null, 1],
      [8, "project", null, 2],
    ],
  );
  expect(
    sources.map(({ learning_id, source, session_id, task_id }) => [learning_id, source, session_id, task_id]),
  ).toEqual([
    [2, "agent", "s-1", 1],
    [2, "human", null, 1],
    [4, "auto", null, null],
    [4, "agent", "s-2", 1],
    [6, "human", null, null],
    [7, "human", null, null],
    [8, "human", null, null],
    [8, "agent", "s-2", 1],
  ]);
});

test("an entry's words are a human's only if a human reported them first", async () => {
  const agent = { actor: "agent", correlation: "s-1" };
  const { entries, sources } = await givenLearned(
    added("Alpha is red."),
    added("Beta is green.", { source: "auto" }),
    added("Gamma is blue.", { source: "human" }, agent),
    learned("Delta is grey.", { scope: "project" }),
    added("delta is grey", { source: "human" }),
    added("alpha is red", {}, agent),
  );
  expect(entries.map(({ text, agent_words }) => [text, agent_words])).toEqual([
    ["Alpha is red.", 0],
    ["Beta is green.", 1],
    ["Gamma is blue.", 1],
    ["Delta is grey.", 1],
  ]);
  expect(sources[2]).toMatchObject({ source: "human", session_id: "s-1" });
});

test("learnings of a recreated feature merge with those from before its deletion", async () => {
  const feature = "reports";
  const made = event("feature.created", { feature, display_name: "Reports", description: "" });
  const { entries } = await givenLearned(
    made,
    added("Times are in UTC.", { feature }),
    event("feature.deleted", { feature }),
    made,
    added("times are in UTC", { feature }),
  );
  expect(entries).toMatchObject([{ id: 2, confirmations: 2 }]);
});

test("every text joins the entry of the same words, and none is lost", async () => {
  const word = fc.constantFrom(
    "the",
    "cache",
    "is",
    "Warm",
    "warm",
    "cold",
    "not",
    "3",
    "5",
    "after",
    "start",
  );
  const text = fc.array(word, { minLength: 1, maxLength: 4 }).map((list) => list.join(" "));
  await fc.assert(
    fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 12 }), async (said) => {
      const { entries, sources } = await givenLearned(
        ...said.map((one) => learned(one, { scope: "project" })),
      );
      const first = (one: string) => 1 + said.findIndex((before) => digestOf(before) === digestOf(one));
      expect(sources.map(({ learning_id }) => learning_id)).toEqual(said.map(first));
      expect(sources.map(({ text }) => text)).toEqual(said);
      expect(entries.map(({ id, text }) => [id, text])).toEqual(
        said.map((one, index) => [index + 1, one]).filter(([id, one]) => first(String(one)) === id),
      );
      const confirmed = entries.reduce((sum, { confirmations }) => sum + confirmations, 0);
      expect(confirmed).toBe(said.length);
    }),
    { numRuns: 60 },
  );
});
