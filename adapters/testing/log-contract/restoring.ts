import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { type EventRecord, leafHash, toIsoTime } from "../core.ts";
import { codeOf, comment, everythingIn, id, positionsOf } from "./given.ts";
import { hasFields, type LogCase, logCase } from "./log-case.ts";
import { NOON } from "./opened-log.ts";

/** A record as a log would hold it. */
function record(position: number, change: Partial<EventRecord> = {}): EventRecord {
  const record = {
    position,
    id: id(position),
    stream: "task-7",
    streamVersion: position,
    type: "comment.added",
    schemaVersion: 2,
    payload: JSON.stringify({ task: 7, author: "human", body: `comment ${position}` }),
    recordedAt: toIsoTime(NOON + position),
    actor: "human",
    causation: undefined,
    correlation: undefined,
    salt: Buffer.alloc(16, position),
    ...change,
  };
  return { ...record, leafHash: change.leafHash ?? leafHash(record) };
}

const records = (...positions: readonly number[]) => positions.map((position) => record(position));

const invalid: readonly [string, readonly EventRecord[]][] = [
  ["a changed payload", [record(1, { payload: record(2).payload, leafHash: record(1).leafHash })]],
  ["a payload against its schema", [record(1, { payload: '{"task":7,"author":"human"}' })]],
  ["a stream that is not its own", [record(1, { stream: "task-8" })]],
  ["an id that is none", [record(1, { id: "comment-1" })]],
  ["a time that is none", [record(1, { recordedAt: "yesterday" })]],
  ["a salt that is too short", [record(1, { salt: Buffer.alloc(4) })]],
  ["a gap in positions", records(1, 3)],
  ["a gap in a stream", [record(1), record(2, { streamVersion: 3 })]],
  ["a time that goes back", [record(1), record(2, { recordedAt: record(1).recordedAt })]],
  ["an id twice", [record(1), record(2, { id: id(1) })]],
];

const HASHES = records(1, 2, 3).map(({ leafHash: hash }) => hash.toString("hex"));

/** Catches: a hash that is not looked at, a gap, doubling, half a batch, a history that is mixed with another. */
export const restoring: readonly LogCase[] = [
  logCase(
    "restored events keep position, id, time and leaf hash, and new events follow them",
    async ({ log }) => {
      strictEqual(await log.restore(records(1, 2, 3)), 3);
      const { events } = await log.append([comment("next")]);
      hasFields(events[0], { position: 4, streamVersion: 4 });
      const [first] = await everythingIn(log);
      const { recordedAt, leafHash: hash } = record(1);
      hasFields(first, { id: id(1), recordedAt, leafHash: hash.toString("hex") });
    },
  ),
  logCase("repeating a restore skips the known events and inserts the rest", async ({ log }) => {
    await log.restore(records(1, 2));
    strictEqual(await log.restore(records(1, 2)), 0);
    strictEqual(await log.restore(records(2, 3)), 1);
    strictEqual(await log.head(), 3);
  }),
  logCase(
    "a log with another history accepts no records, and names the first position that differs",
    async ({ log }) => {
      await log.restore(records(1));
      await log.append([comment("another")]);
      await rejects(log.restore(records(1, 2, 3)), { code: "history_differs", message: /\b2\b/ });
      strictEqual(await log.head(), 2);
    },
  ),
  logCase(
    "a restored log gives the same records, and is known by the first of them",
    async ({ log, another }) => {
      strictEqual((await log.identity()).log, undefined);
      await log.restore(records(1, 2, 3));
      const other = await another();
      deepStrictEqual(
        (await other.records(0, 10)).map(({ leafHash: hash }) => hash.toString("hex")),
        HASHES,
      );
      deepStrictEqual(positionsOf(await other.records(1, 1)), [2]);
      deepStrictEqual(await other.records(3, 10), []);
      strictEqual((await other.identity()).log, id(1));
    },
  ),
  ...invalid.map(([what, batch]) =>
    logCase(`with ${what} nothing of the batch is restored`, async ({ log }) => {
      strictEqual(await codeOf(log.restore(batch)), "invalid_event");
      strictEqual(await log.head(), 0);
    }),
  ),
  logCase("a newer program's events are not restored", async ({ log }) => {
    strictEqual(await codeOf(log.restore([record(1, { schemaVersion: 99 })])), "newer_schema");
  }),
];
