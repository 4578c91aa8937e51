import { rmSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { openMemoryLog } from "../../src/events/memory-log.ts";
import { taskDetails } from "../../src/queries/tasks.ts";
import { catchUp } from "../../src/read-model/worker.ts";
import { comment, comments, environmentAt, everythingIn, NOON } from "../events/given.ts";
import { echo, givenFreshReadModel, givenProject, givenReduced, history, tally } from "./given.ts";

/* Catches: rows that depend on how a log is cut into batches, or on anything but the log. */

test("the content does not depend on how the log was cut into batches, nor on batches that come twice", async () => {
  const log = openMemoryLog(environmentAt({ now: NOON }, "batches"));
  await log.append([...history(), ...comments(9)]);
  const events = await everythingIn(log);
  const whole = givenFreshReadModel();
  whole.advance(events, events.length);
  const cuts = fc.array(fc.integer({ min: 0, max: events.length }), { maxLength: 8 });
  fc.assert(
    fc.property(cuts, fc.nat({ max: 5 }), (places, overlap) => {
      const pieces = givenFreshReadModel();
      const ends = [...places.sort((a, b) => a - b), events.length];
      for (const [index, end] of ends.entries()) {
        const start = Math.max(0, (ends[index - 1] ?? 0) - overlap);
        pieces.advance(events.slice(start, end), events.length);
      }
      expect(pieces.contentHash()).toBe(whole.contentHash());
      expect(pieces.position()).toBe(events.length);
      pieces.close();
    }),
    { numRuns: 20 },
  );
});

test("events behind a gap are not reduced", async () => {
  const log = openMemoryLog(environmentAt({ now: NOON }, "gap"));
  const { events } = await log.append(comments(5));
  const readModel = givenFreshReadModel([tally, echo]);
  readModel.advance(events.slice(0, 2), 5);
  const before = readModel.contentHash();
  try {
    readModel.advance(events.slice(3), 5);
  } catch {
    // It may say so, or leave it to the caller to look again.
  }
  expect(readModel.contentHash()).toBe(before);
  expect(readModel.position()).toBe(2);
});

test("the content hash differs for any difference in any row", async () => {
  const { readModel } = await givenReduced(history());
  const before = readModel.contentHash();
  const { database } = readModel;
  for (const change of [
    "UPDATE tasks SET priority_rank = 3 WHERE id = 8",
    "UPDATE comments SET body = 'Commas.'",
    "DELETE FROM flags",
    "INSERT INTO learning_task_features VALUES (99, 'reports')",
  ]) {
    database.exec(`BEGIN; ${change}`);
    expect(readModel.contentHash(), change).not.toBe(before);
    database.exec("ROLLBACK");
    expect(readModel.contentHash()).toBe(before);
  }
});

test("the file can be deleted and comes back the same", async () => {
  const { log, readModel: first, openReadModel, readModelPath } = await givenReduced(history());
  await log.append(comments(3));
  await catchUp(first, log);
  const content = first.contentHash();
  first.close();
  for (const suffix of ["", "-wal", "-shm"]) rmSync(`${readModelPath}${suffix}`, { force: true });
  const second = openReadModel();
  expect(second.contentHash()).not.toBe(content);
  await catchUp(second, log);
  expect(second.contentHash()).toBe(content);
});

test("opening a read model again neither reduces nor changes anything", async () => {
  const { readModel: first, openReadModel } = await givenReduced(history());
  const shown = first.checkpoints.list();
  const content = first.contentHash();
  const second = openReadModel();
  expect(second.checkpoints.list()).toEqual(shown);
  expect(second.contentHash()).toBe(content);
  expect(second.position()).toBe(history().length);
});

test("a reader in a snapshot sees one state, whatever is reduced concurrently", async () => {
  const { openLog, openReadModel } = givenProject();
  const log = openLog();
  const [writer, reader] = [openReadModel([tally]), openReadModel([tally])];
  const { events } = await log.append(comments(2));
  const count = () => reader.database.prepare("SELECT comments FROM tally").pluck().get();
  writer.advance(events.slice(0, 1), 2);
  reader.snapshot(() => {
    expect(count()).toBe(1);
    writer.advance(events.slice(1), 2);
    expect([count(), reader.position()]).toEqual([1, 1]);
  });
  expect([count(), reader.position()]).toEqual([2, 2]);
});

test("every view of the seeds' schemas can be read", async () => {
  const { readModel } = await givenReduced(history());
  const count = (view: string) => readModel.database.prepare(`SELECT count(*) FROM ${view}`).pluck().get();
  expect({
    task_signals: count("task_signals"),
    task_comments: count("task_comments"),
    ralph_sessions: count("ralph_sessions"),
    ready_tasks: count("ready_tasks"),
    stagnation: count("stagnation"),
  }).toEqual({ task_signals: 4, task_comments: 5, ralph_sessions: 1, ready_tasks: 2, stagnation: 2 });
});

test("a comment on an unknown task breaks no projection", async () => {
  const { readModel } = await givenReduced([comment("lost", 999), ...history()]);
  expect(readModel.checkpoints.list().map(({ state }) => state)).not.toContain("stopped");
});

test("a column that is no JSON any more is damage of the file; a question's own wrong JSON is the question's", async () => {
  const { readModel } = await givenReduced(history());
  expect(() => readModel.snapshot(() => JSON.parse("{"))).toThrow(SyntaxError);
  readModel.database.exec("UPDATE tasks SET tags = '[\"a' WHERE id = 8");
  const ask = () => readModel.snapshot(() => taskDetails(readModel, 8));
  expect(ask).toThrow(expect.objectContaining({ name: "ReadModelError", code: "damaged" }));
});
