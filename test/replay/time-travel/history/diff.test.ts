import Database from "better-sqlite3";
import fc from "fast-check";
import { expect, test } from "vitest";
import { diffStates } from "../../../../src/replay/time-travel/diff.ts";
import { findMadeHistory } from "../../../../src/replay/time-travel/history/history-file.ts";
import { stateAt } from "../../../../src/replay/time-travel/state-at.ts";
import { histories } from "../../../properties/commands.ts";
import { eventsOf, runs } from "../../../properties/runs.ts";
import { emptyPlace, logOf } from "../given.ts";
import { historyOf, madeHistory, makeWhole } from "./given.ts";

const fraction = fc.double({ min: 0, max: 1, noNaN: true });

test("between any two points of a history the diff is that of the reduced states", async () => {
  await fc.assert(
    fc.asyncProperty(
      histories,
      fc.array(fc.tuple(fraction, fraction), { minLength: 4 }),
      async (given, pairs) => {
        const log = await logOf(await eventsOf(given));
        const { path, cache } = emptyPlace();
        const history = historyOf(log, path);
        await makeWhole(history);
        history.close();
        const head = await log.head();
        for (const pair of pairs) {
          const [from = 0, to = 0] = pair.map((one) => Math.round(one * head)).sort((a, b) => a - b);
          const [before, after] = [await stateAt(log, from, cache), await stateAt(log, to, cache)];
          const [reducedBefore, reducedAfter] = [await stateAt(log, from), await stateAt(log, to)];
          expect(diffStates(before, after)).toEqual(diffStates(reducedBefore, reducedAfter));
          for (const state of [before, after, reducedBefore, reducedAfter]) state.close();
        }
      },
    ),
    runs(20),
  );
});

test("a diff reads no row that did not change between its points", async () => {
  const { events, log, path } = await madeHistory();
  const cache = { ...emptyPlace().cache, readModelPath: path };
  const database = new Database(findMadeHistory(path) ?? "");
  // Any row of a task that is read fails the query that reads it.
  expect(database.prepare("UPDATE tasks SET title = title || '!'").run().changes).toBeGreaterThan(0);
  const isAboutTasks = ({ type }: { type: string }) =>
    /^(task|session|signal|question|blocker|gate)/.test(type);
  const quiet = events.findLastIndex((event, index) => index > 0 && !isAboutTasks(event)) + 1;
  database.close();
  expect(quiet).toBeGreaterThan(1);
  const [before, after] = [await stateAt(log, quiet - 1, cache), await stateAt(log, quiet, cache)];
  expect(diffStates(before, after).tasks).toEqual([]);
  for (const state of [before, after]) state.close();
});
