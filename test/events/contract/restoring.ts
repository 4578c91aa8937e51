import { expect, test } from "vitest";
import type { EventRecord } from "../../../src/events/event-record.ts";
import { leafHash } from "../../../src/events/leaf-hash.ts";
import { toIsoTime } from "../../../src/events/time.ts";
import { codeOf, comment, everythingIn, id, NOON } from "../given.ts";
import { type OpenLog, openForTest } from "./opened-log.ts";

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

/** Catches: a hash that is not looked at, a gap, doubling, half a batch, a history that is mixed with another. */
export function describeRestoring(open: OpenLog): void {
  test("restored events keep position, id, time and leaf hash, and new events follow them", async () => {
    const { log } = await openForTest(open);
    expect(await log.restore(records(1, 2, 3))).toBe(3);
    const { events } = await log.append([comment("next")]);
    expect(events[0]).toMatchObject({ position: 4, streamVersion: 4 });
    const [first] = await everythingIn(log);
    const { recordedAt, leafHash: hash } = record(1);
    expect(first).toMatchObject({ id: id(1), recordedAt, leafHash: hash.toString("hex") });
  });

  test("repeating a restore skips the known events and inserts the rest", async () => {
    const { log } = await openForTest(open);
    await log.restore(records(1, 2));
    expect(await log.restore(records(1, 2))).toBe(0);
    expect(await log.restore(records(2, 3))).toBe(1);
    expect(await log.head()).toBe(3);
  });

  test("a log with another history accepts no records, and names the first position that differs", async () => {
    const { log } = await openForTest(open);
    await log.restore(records(1));
    await log.append([comment("another")]);
    await expect(log.restore(records(1, 2, 3))).rejects.toMatchObject({
      code: "history_differs",
      message: expect.stringContaining("Position 2"),
    });
    expect(await log.head()).toBe(2);
  });

  test.each<[string, readonly EventRecord[]]>([
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
  ])("with %s nothing of the batch is restored", async (_what, batch) => {
    const { log } = await openForTest(open);
    expect(await codeOf(log.restore(batch))).toBe("invalid_event");
    expect(await log.head()).toBe(0);
  });

  test("a newer program's events are not restored", async () => {
    const { log } = await openForTest(open);
    expect(await codeOf(log.restore([record(1, { schemaVersion: 99 })]))).toBe("newer_schema");
  });
}
