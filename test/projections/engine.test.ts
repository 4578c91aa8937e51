import { expect, test } from "vitest";
import { redactionOf } from "../../adapters/testing/log-contract/redaction-of.ts";
import { openMemoryLog } from "../../src/events/memory-log.ts";
import { RedactedMeanwhile, reduceLog } from "../../src/read-model/engine.ts";
import { comment, comments, environmentAt, NOON } from "../events/given.ts";
import { echo, fragileEcho, givenFreshReadModel, shownState, tally } from "./given.ts";

/* Catches: a reduction that keeps removed texts, cannot be stopped, or blocks a process for as long as it takes. */

function givenLog() {
  return openMemoryLog(environmentAt({ now: NOON }, "engine"));
}

test("a redaction of an event that was reduced with its texts ends the reduction before it", async () => {
  const log = givenLog();
  await log.append([comment("a secret"), ...comments(3)]);
  const readModel = givenFreshReadModel([echo]);
  await reduceLog(log, readModel);
  await log.append([comment("another"), await redactionOf(log, 1)]);
  await expect(reduceLog(log, readModel)).rejects.toBeInstanceOf(RedactedMeanwhile);
  expect(readModel.position()).toBe(4);
});

test("a redaction of an event that is read with it, without its texts, does not", async () => {
  const log = givenLog();
  await log.append(comments(4));
  const readModel = givenFreshReadModel([echo]);
  await reduceLog(log, readModel);
  await log.append([comment("a secret")]);
  await log.append([await redactionOf(log, 5)]);
  await reduceLog(log, readModel);
  expect(readModel.position()).toBe(6);
  expect(readModel.database.serialize().includes("a secret")).toBe(false);
});

test("a reduction runs to its end in batches, and reports its progress", async () => {
  const log = givenLog();
  for (let thousands = 0; thousands < 3; thousands++) await log.append(comments(1_000));
  const readModel = givenFreshReadModel([echo]);
  const told: number[] = [];
  await reduceLog(log, readModel, { until: 2_500, onProgress: (position) => told.push(position) });
  expect(told).toEqual([1_000, 2_000, 2_500]);
});

test("others have a turn between two batches, and may end the reduction there", async () => {
  const log = givenLog();
  for (let thousands = 0; thousands < 3; thousands++) await log.append(comments(1_000));
  const readModel = givenFreshReadModel([echo]);
  const ending = new AbortController();
  const reducing = reduceLog(log, readModel, {
    signal: ending.signal,
    onProgress: () => setImmediate(() => ending.abort(new Error("enough"))),
  });
  await expect(reducing).rejects.toThrow("enough");
  expect(readModel.position()).toBeLessThan(3_000);
  await reduceLog(log, readModel);
  expect(readModel.rowsOf(echo.tables).echo?.scan()).toHaveLength(3_000);
});

test("where every projection is stopped a reduction ends", async () => {
  const log = givenLog();
  await log.append([comment("boom"), comment("two")]);
  const readModel = givenFreshReadModel([fragileEcho]);
  await reduceLog(log, readModel);
  expect(shownState(readModel, "echo")).toMatchObject({ position: 0, lag: 2, state: "stopped" });
});

test("a projection that is ahead of the others skips the events that it has", async () => {
  const log = givenLog();
  const { events } = await log.append(comments(5));
  const readModel = givenFreshReadModel([tally, echo]);
  readModel.advance(events.slice(0, 2), 5);
  // As another program leaves it that knows the projection echo alone.
  readModel.database.exec(
    "UPDATE projections SET position = 1 WHERE name = 'echo'; DELETE FROM echo WHERE id > 1",
  );
  await reduceLog(log, readModel);
  expect(readModel.rowsOf(tally.tables).tally?.get(7)?.comments).toBe(5);
  expect(readModel.rowsOf(echo.tables).echo?.scan()).toHaveLength(5);
});
