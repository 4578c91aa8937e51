import Database from "better-sqlite3";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import type { EventLog } from "../../../../src/events/log.ts";
import { diffStates, type StateDiff } from "../../../../src/history/time-travel/diff.ts";
import { findMadeHistory, headOfHistory } from "../../../../src/history/time-travel/history/history-file.ts";
import { stateAt } from "../../../../src/history/time-travel/state-at.ts";
import type { ReadModel } from "../../../../src/read-model/read-model.ts";
import { histories } from "../../../properties/commands.ts";
import { eventsOf, runs } from "../../../properties/runs.ts";
import { emptyPlace, logOf, someEvents } from "../given.ts";
import { historyOf, madeHistory, makeUpTo, makeWhole } from "./given.ts";

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
          const found = diffOf(await stateAt(log, from, cache), await stateAt(log, to, cache));
          expect(found).toEqual(diffOf(await stateAt(log, from), await stateAt(log, to)));
        }
      },
    ),
    runs(6),
  );
});

test.each([
  [
    "by this process, within a question that waits",
    async (log: EventLog, path: string, from: number, to: number) => {
      const history = historyOf(log, path);
      onTestFinished(() => history.close());
      return history.during(from, async (before) => {
        await makeWhole(history);
        return history.asOf(to, (after) => diffStates(before, after));
      });
    },
  ],
  [
    "for the later state itself",
    async (log: EventLog, path: string, from: number, to: number) => {
      const cache = { ...emptyPlace().cache, readModelPath: path };
      const [before, after] = [await stateAt(log, from, cache), await stateAt(log, to, cache)];
      expect(headOfHistory(findMadeHistory(path) ?? "")).toBe(to);
      return diffOf(before, after);
    },
  ],
])(
  "where a history is made further after the earlier state was opened, %s, the diff is whole",
  async (_when, ask) => {
    const log = await logOf(await someEvents());
    const { path } = emptyPlace();
    const head = await log.head();
    // From where making it further is less than to reduce all.
    const made = Math.ceil(head * 0.9);
    await makeUpTo(log, path, made);
    const whole = diffOf(await stateAt(log, made), await stateAt(log, head));
    expect(whole.tasks).not.toEqual([]);
    expect(await ask(log, path, made, head)).toEqual(whole);
  },
);

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
  const found = diffOf(await stateAt(log, quiet - 1, cache), await stateAt(log, quiet, cache));
  expect(found.tasks).toEqual([]);
});

/** What differs between two states, which are closed then. */
function diffOf(before: ReadModel, after: ReadModel): StateDiff {
  try {
    return diffStates(before, after);
  } finally {
    before.close();
    after.close();
  }
}
