import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { closeStore, openStore } from "../../../../src/decisions/store.ts";
import { systemEnvironment } from "../../../../src/decisions/system-environment.ts";
import { nodeOf, nodesOver } from "../../../../src/history/time-travel/history/nodes.ts";
import { packagePath } from "../../../../src/lib/package-root.ts";
import { runSimulationIn } from "../../../../src/replay/run.ts";
import { loadSimulations } from "../../../../src/replay/simulation.ts";
import { histories } from "../../../properties/commands.ts";
import { hashOf } from "../../../properties/reducing.ts";
import { eventsOf, runs } from "../../../properties/runs.ts";
import { freshFolder } from "../../../support/project.ts";
import { logOf } from "../given.ts";
import { hashIn, historyOf, makeWhole } from "./given.ts";

test("at any point a history has the rows of a reduction of the prefix", async () => {
  const fractions = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 8, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(histories, fractions, fc.integer({ min: 1, max: 50 }), async (given, at, turn) => {
      const events = await eventsOf(given);
      const history = historyOf(await logOf(events));
      await makeWhole(history, turn);
      for (const fraction of at) {
        const position = Math.round(fraction * events.length);
        expect(hashIn(history, position)).toBe(hashOf(events.slice(0, position)));
      }
      history.close();
    }),
    runs(6),
  );
});

const simulations = loadSimulations([packagePath("fixtures/sims")]).filter((_, index) => index % 17 === 0);

test.each(simulations.map((simulation) => [simulation.id, simulation] as const))(
  "after each event of simulation %s a history has the rows that a reduction up to there gives",
  async (_id, simulation) => {
    const folder = freshFolder();
    await runSimulationIn(folder, simulation, { inProcess: true });
    const store = await openStore(join(folder, "ralph.db"), systemEnvironment());
    const events = await store.log.read(0, 10_000);
    const history = historyOf(store.log);
    await makeWhole(history);
    for (let position = 0; position <= events.length; position++) {
      expect(hashIn(history, position), `as of ${position}`).toBe(hashOf(events.slice(0, position)));
    }
    history.close();
    await closeStore(store);
  },
);

test("an interval is found from each position in it, reading at most one node more than the head has binary digits", () => {
  const position = fc.integer({ min: 1, max: 2_000_000 });
  fc.assert(
    fc.property(position, position, position, fc.nat(1_000), (a, b, c, more) => {
      const [from = 1, inside = 1, last = 1] = [a, b, c].sort((x, y) => x - y);
      const nodes = nodesOver(inside, last + more);
      expect(nodes).toContain(nodeOf(from, last));
      expect(nodes.length).toBeLessThanOrEqual((last + more).toString(2).length + 1);
    }),
    runs(2_000),
  );
});
