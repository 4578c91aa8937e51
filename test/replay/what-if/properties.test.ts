import fc from "fast-check";
import { expect, test } from "vitest";
import { openMemoryLog } from "../../../src/events/memory-log.ts";
import { priorities } from "../../../src/events/types/fields.ts";
import type { Event } from "../../../src/events/types/index.ts";
import { consequences, policies as definitions } from "../../../src/events/types/policies.ts";
import { onLogOf } from "../../../src/history/what-if/corpus.ts";
import type { WhatIfPolicy } from "../../../src/history/what-if/policy.ts";
import { TwoWorlds, type Worlds } from "../../../src/history/what-if/two-worlds.ts";
import { Comparison } from "../../../src/history/what-if/what-if.ts";
import { packagePath } from "../../../src/lib/package-root.ts";
import { type Board, boardTables } from "../../../src/projections/board/tables.ts";
import { ReadModel } from "../../../src/read-model/read-model.ts";
import { loadSimulations } from "../../../src/replay/simulation.ts";
import { environmentAt, NOON } from "../../events/given.ts";
import { created, done, ended, started, stuck } from "../../projections/board/history.ts";
import { histories } from "../../properties/commands.ts";
import { reduceInto } from "../../properties/reducing.ts";
import { assertUntil, eventsOf, runs } from "../../properties/runs.ts";
import { whatIfAfter } from "./given.ts";
import { WholeWorlds } from "./whole-worlds.ts";

const DEFAULTS: WhatIfPolicy = {
  ...Object.fromEntries(Object.entries(definitions).map(([name, { absent }]) => [name, absent])),
  priorities: {},
};

const policies: fc.Arbitrary<WhatIfPolicy> = fc.record({
  stuck_limit: fc.integer({ min: 1, max: 4 }),
  waiting_is_stuck: fc.boolean(),
  partial_resets: fc.boolean(),
  partial_with_learnings_resets: fc.boolean(),
  closing: fc.constantFrom("last", "first", "worst"),
  "evidence.left_behind": fc.constantFrom(...consequences),
  "evidence.gone": fc.constantFrom(...consequences),
  "evidence.undoes": fc.constantFrom(...consequences),
  "evidence.no_change": fc.constantFrom(...consequences),
  priorities: fc.dictionary(fc.constantFrom("1", "2", "3"), fc.constantFrom(...priorities), { maxKeys: 1 }),
});

test("the default policy changes nothing in any simulation", async () => {
  for (const simulation of loadSimulations([packagePath("fixtures/sims")])) {
    const events = await onLogOf(simulation, (log) => log.read(0, 10_000));
    const report = await whatIfAfter(DEFAULTS, events);
    expect({ ...report, counts: null }, simulation.id).toMatchObject({
      parts_at: null,
      tasks: [],
      order: { first: null },
    });
    expect(report.counts.would_be).toEqual(report.counts.was);
  }
});

test("the default policy changes nothing in any history", async () => {
  await fc.assert(
    fc.asyncProperty(histories, async (history) => {
      const events = (await eventsOf(history)).filter(({ type }) => type !== "policy.set");
      const report = await whatIfAfter(DEFAULTS, events);
      expect(report).toMatchObject({ parts_at: null, tasks: [], order: { first: null } });
      expect(report.counts.would_be).toEqual(report.counts.was);
    }),
    runs(25),
  );
});

test("the first position is where the boards part: before it they are equal, row by row, and after it they are not", async () => {
  let parted = 0;
  await assertUntil(
    fc.asyncProperty(histories, policies, async (history, policy) => {
      const events = await eventsOf(history);
      const { parts_at } = await whatIfAfter(policy, events);
      const before = parts_at === null ? events : events.slice(0, parts_at - 1);
      const [was, wouldBe] = boardsAfter(policy, before);
      expect(wouldBe).toEqual(was);
      if (parts_at === null) return;
      parted += 1;
      const [wasThen, wouldBeThen] = boardsAfter(policy, events.slice(0, parts_at));
      expect(wouldBeThen).not.toEqual(wasThen);
    }),
    25,
    () => parted > 0,
  );
});

test("storing only the other world's differences gives the results of two full boards, event by event", async () => {
  const session = [started("a"), stuck("No GPU.", { session: "a" }), ended("exited", "a")];
  const retried = [started("b"), done({ session: "b" }), ended("exited", "b")];
  // In few random histories an event is impossible under the other policy; in this one the second start is.
  const parting = openMemoryLog(environmentAt({ now: NOON }, "what-if"));
  await parting.append([created(1), created(2, { depends_on: [1] }), ...session, ...retried]);
  expect(unknownOnBoth({ ...DEFAULTS, stuck_limit: 1 }, await parting.read(0, 100))).toBe(2);
  await fc.assert(
    fc.asyncProperty(histories, policies, async (history, policy) => {
      unknownOnBoth(policy, await eventsOf(history));
    }),
    runs(15),
  );
});

/** Compares the two after each event. @returns the tasks whose history is unknown at the end */
function unknownOnBoth(policy: WhatIfPolicy, events: readonly Event[]): number {
  // So few rows that most are written to the file and read again.
  const worlds = [new TwoWorlds(policy, { rows: 2, events: 3 }), new WholeWorlds(policy)] as const;
  const [two, whole] = [new Comparison(policy, worlds[0]), new Comparison(policy, worlds[1])];
  for (const event of events) {
    two.step(event);
    whole.step(event);
    expect(two.report(event.position)).toEqual(whole.report(event.position));
    expect(rowsOf(worlds[0].wouldBe)).toEqual(rowsOf(worlds[1].wouldBe));
  }
  const unknown = two.report(0).tasks.filter(({ other_history }) => other_history);
  for (const one of worlds) one.close();
  return unknown.length;
}

test("they tell the same of every simulation", async () => {
  for (const simulation of loadSimulations([packagePath("fixtures/sims")])) {
    const events = await onLogOf(simulation, (log) => log.read(0, 10_000));
    for (const policy of ASKED_OF_SIMULATIONS) {
      const [two, whole] = [new TwoWorlds(policy), new WholeWorlds(policy)].map((worlds) => {
        const comparison = new Comparison(policy, worlds);
        for (const event of events) comparison.step(event);
        const report = JSON.stringify(comparison.report(events.length));
        worlds.close();
        return report;
      });
      expect(two, simulation.id).toBe(whole);
    }
  }
});

const ASKED_OF_SIMULATIONS: readonly WhatIfPolicy[] = [
  { stuck_limit: 1, priorities: { 2: "critical" } },
  { waiting_is_stuck: true, partial_with_learnings_resets: true },
  { stuck_limit: 2, closing: "worst", partial_resets: true },
];

test("the recorded world equals the board, row by row", async () => {
  await fc.assert(
    fc.asyncProperty(histories, async (history) => {
      const events = await eventsOf(history);
      const [worlds, readModel] = [new TwoWorlds({ stuck_limit: 2 }), new ReadModel(":memory:")];
      for (const event of events) worlds.reduce(event, false);
      reduceInto(readModel, events);
      expect(rowsOf(worlds.was)).toEqual(rowsOf(readModel.rowsOf(boardTables)));
      worlds.close();
      readModel.close();
    }),
    runs(15),
  );
});

/** Every row of both boards after the same events, where each could have happened in both worlds. */
function boardsAfter(policy: WhatIfPolicy, events: readonly Event[]) {
  const worlds: Worlds = new TwoWorlds(policy);
  for (const event of events) worlds.reduce(event, false);
  const rows = [rowsOf(worlds.was), rowsOf(worlds.wouldBe)] as const;
  worlds.close();
  return rows;
}

/**
 * All rows that are kept but those of the policies themselves, what rules looked at, of which the policies are a part, and what a
 * finding led to: where a human is asked anyway, that moves no task.
 */
function rowsOf(board: Board) {
  return Object.entries(board)
    .filter(([name]) => !NOT_COMPARED.has(name))
    .map(([name, rows]) => [name, rows.scan().map(withoutPolicies)]);
}

function withoutPolicies({ causes: _, led_to: __, ...row }: { causes?: unknown; led_to?: unknown }) {
  return row;
}

/** What-if keeps no signals and no states of sessions; in both worlds it gives the ids that were given. */
const NOT_COMPARED: ReadonlySet<string> = new Set(["policies", "signals", "sessionStates", "taskIds"]);
