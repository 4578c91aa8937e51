import fc from "fast-check";
import { expect, test } from "vitest";
import { histories } from "../../../properties/commands.ts";
import { hashOf } from "../../../properties/reducing.ts";
import { eventsOf, runs } from "../../../properties/runs.ts";
import { logOf } from "../given.ts";
import { historyOf, madeWhole } from "./given.ts";

test("as of any point a history has the rows that a reduction of the prefix gives", async () => {
  const fractions = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 8, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(histories, fractions, fc.integer({ min: 1, max: 50 }), async (given, at, turn) => {
      const events = await eventsOf(given);
      const history = historyOf(await logOf(events));
      await madeWhole(history, turn);
      for (const fraction of at) {
        const position = Math.round(fraction * events.length);
        const found = history.asOf(position, (readModel) => readModel.contentHash());
        expect(found).toBe(hashOf(events.slice(0, position)));
      }
      history.close();
    }),
    runs(30),
  );
});
