import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { findMadeHistory, headOfHistory } from "../../../src/history/time-travel/history/history-file.ts";
import { stateAt } from "../../../src/history/time-travel/state-at.ts";
import { comments } from "../../events/given.ts";
import { histories } from "../../properties/commands.ts";
import { hashOf } from "../../properties/reducing.ts";
import { eventsOf, runs } from "../../properties/runs.ts";
import { emptyPlace, hashAt, logOf, someEvents } from "./given.ts";
import { madeHistory, makeUpTo } from "./history/given.ts";

const fraction = fc.double({ min: 0, max: 1, noNaN: true });
const fractions = fc.array(fraction, { minLength: 3, maxLength: 3 });

test("a state at any point equals the reduction of the prefix, with any history or none", async () => {
  await fc.assert(
    fc.asyncProperty(histories, fractions, fraction, async (given, at, made) => {
      const events = await eventsOf(given);
      const log = await logOf(events);
      const { path, cache, warnings } = emptyPlace();
      await makeUpTo(log, path, Math.round(made * events.length));
      for (const fraction of at) {
        const position = Math.round(fraction * events.length);
        const expected = hashOf(events.slice(0, position));
        expect(await hashAt(log, position)).toBe(expected);
        expect(await hashAt(log, position, cache)).toBe(expected);
      }
      expect(warnings).toEqual([]);
    }),
    runs(10),
  );
});

test("a history that ends shortly before a point is extended, and one that ends far before is not", async () => {
  const log = await logOf(await someEvents());
  const head = await log.head();
  const { path, cache, progress } = emptyPlace();
  const madeTo = () => headOfHistory(findMadeHistory(path) ?? "");
  const little = Math.ceil(head * 0.9);
  await makeUpTo(log, path, 5);
  const from = madeTo();
  await hashAt(log, little, cache);
  expect([madeTo(), progress]).toEqual([from, []]);
  await makeUpTo(log, path, little);
  await hashAt(log, head, cache);
  expect(madeTo()).toBe(head);
  expect(progress.at(-1)).toEqual({ position: head, head, isFromNothing: false });
});

test("the history of another log is not used but kept, with a warning", async () => {
  const { path, events } = await madeHistory();
  const { cache, warnings } = emptyPlace();
  const log = await logOf(events, () => 1_800_000_000_000_000);
  const expected = hashOf(await log.read(0, 10_000));
  expect(await hashAt(log, events.length, { ...cache, readModelPath: path })).toBe(expected);
  expect(warnings).toEqual([
    "The history of the read model was not used: it belongs to another log. Build it again with `signalbox history make`.",
  ]);
  expect(findMadeHistory(path)).toBeDefined();
});

test("a long reduction says how far it is", async () => {
  const log = await logOf([]);
  for (const count of [10_000, 10_000, 1]) await log.append(comments(count));
  const { cache, progress } = emptyPlace();
  (await stateAt(log, 20_001, cache)).close();
  expect(progress.at(-1)).toEqual({ position: 20_001, head: 20_001, isFromNothing: true });
});

test("the snapshots that earlier versions kept are removed", async () => {
  const { path, cache } = emptyPlace();
  const folder = join(dirname(dirname(path)), "snapshots");
  mkdirSync(folder);
  writeFileSync(join(folder, "5.snapshot"), "of an earlier version");
  await hashAt(await logOf([]), 0, cache);
  expect(readdirSync(dirname(folder))).not.toContain("snapshots");
});
