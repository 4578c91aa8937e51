import fc from "fast-check";
import { expect, test } from "vitest";
import { priorities } from "../../../src/events/types/fields.ts";
import type { Event } from "../../../src/events/types/index.ts";
import { packagePath } from "../../../src/package-root.ts";
import { closingRules } from "../../../src/projections/board/policies.ts";
import { type Board, boardTables } from "../../../src/projections/board/tables.ts";
import { ReadModel } from "../../../src/projections/read-model.ts";
import { loadSimulations } from "../../../src/replay/simulation.ts";
import { onLogOf } from "../../../src/replay/what-if/corpus.ts";
import { OtherWorld } from "../../../src/replay/what-if/other-world.ts";
import { resetRules, type WhatIfPolicy } from "../../../src/replay/what-if/policy.ts";
import { World } from "../../../src/replay/what-if/world.ts";
import { histories } from "../../properties/commands.ts";
import { reduceInto } from "../../properties/reducing.ts";
import { eventsOf, runs } from "../../properties/runs.ts";
import { whatIfAfter } from "./given.ts";

const DEFAULTS: WhatIfPolicy = {
  stuck_limit: 3,
  waiting_is_stuck: false,
  partial_resets: "never",
  closing: "last",
  priorities: {},
};

const policies: fc.Arbitrary<WhatIfPolicy> = fc.record({
  stuck_limit: fc.integer({ min: 1, max: 4 }),
  waiting_is_stuck: fc.boolean(),
  partial_resets: fc.constantFrom(...resetRules),
  closing: fc.constantFrom(...closingRules),
  priorities: fc.dictionary(fc.constantFrom("1", "2", "3"), fc.constantFrom(...priorities), { maxKeys: 1 }),
});

test("under the policy that is the default nothing would have come out differently, in any simulation", async () => {
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

test("under the policy that is the default nothing would have come out differently, in any history", async () => {
  await fc.assert(
    fc.asyncProperty(histories, async (history) => {
      const events = (await eventsOf(history)).filter(({ type }) => type !== "policy.set");
      const report = await whatIfAfter(DEFAULTS, events);
      expect(report).toMatchObject({ parts_at: null, tasks: [], order: { first: null } });
      expect(report.counts.would_be).toEqual(report.counts.was);
    }),
    runs(100),
  );
});

test("the first position is where the boards part: before it they are equal, row by row, and after it they are not", async () => {
  let parted = 0;
  await fc.assert(
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
    runs(100),
  );
  expect(parted).toBeGreaterThan(0);
});

test("the history as it was is the board's own, row by row", async () => {
  await fc.assert(
    fc.asyncProperty(histories, async (history) => {
      const events = await eventsOf(history);
      const [world, readModel] = [new World(), new ReadModel(":memory:")];
      for (const event of events) world.reduce(event);
      reduceInto(readModel, events);
      expect(rowsOf(world.board)).toEqual(rowsOf(readModel.rowsOf(boardTables)));
      world.close();
      readModel.close();
    }),
    runs(50),
  );
});

/** Every row of both boards after the same events, where each could have happened in both worlds. */
function boardsAfter(policy: WhatIfPolicy, events: readonly Event[]) {
  const [was, wouldBe] = [new World(), new OtherWorld(policy)];
  for (const event of events) {
    const lastId = was.board.taskIds.get(1)?.last_id;
    was.reduce(event);
    wouldBe.reduce(event, lastId);
    // What priorities a policy gives is written when what an event wrote is asked for.
    wouldBe.takeTouched();
  }
  const rows = [rowsOf(was.board), rowsOf(wouldBe.board)] as const;
  was.close();
  wouldBe.close();
  return rows;
}

/** All rows but those of the policies themselves, and what rules looked at, of which the policies are a part. */
function rowsOf(board: Board) {
  return Object.entries(board)
    .filter(([name]) => name !== "policies")
    .map(([name, rows]) => [name, rows.where({}).map(({ causes: _, ...row }: { causes?: unknown }) => row)]);
}
