import { createHash } from "node:crypto";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { dropSnapshots } from "../../../src/replay/time-travel/snapshots.ts";
import { stateAt } from "../../../src/replay/time-travel/state-at.ts";
import { takeSnapshots } from "../../../src/replay/time-travel/take-snapshots.ts";
import { histories } from "../../properties/commands.ts";
import { hashOf } from "../../properties/reducing.ts";
import { eventsOf, runs } from "../../properties/runs.ts";
import { hashAt, logOf, snapshotPlace, someEvents } from "./given.ts";

const fractions = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 3, maxLength: 3 });

test("as of any point a state is the reduction of the prefix, with and without snapshots", async () => {
  await fc.assert(
    fc.asyncProperty(histories, fractions, fc.integer({ min: 1, max: 40 }), async (history, at, every) => {
      const events = await eventsOf(history);
      const log = await logOf(events);
      const { snapshots, warnings } = snapshotPlace();
      await takeSnapshots(log, snapshots(), every, () => {});
      for (const fraction of at) {
        const position = Math.round(fraction * events.length);
        const expected = hashOf(events.slice(0, position));
        expect(await hashAt(log, position)).toBe(expected);
        expect(await hashAt(log, position, { snapshots: snapshots() })).toBe(expected);
      }
      expect(warnings).toEqual([]);
    }),
    runs(30),
  );
});

test("a snapshot with a byte that is not its own is not used, is said, and is removed", async () => {
  const events = await someEvents();
  const log = await logOf(events);
  const expected = hashOf(events);
  const { snapshots, folder, warnings, files } = snapshotPlace();
  await takeSnapshots(log, snapshots(), events.length, () => {});
  const name = `${events.length}.snapshot`;
  const whole = readFileSync(join(folder, name));
  await fc.assert(
    fc.asyncProperty(
      fc.nat(whole.length - 1),
      fc.integer({ min: 1, max: 255 }),
      fc.boolean(),
      async (byte, flip, cut) => {
        const damaged = Buffer.from(whole);
        damaged.writeUInt8(damaged.readUInt8(byte) ^ flip, byte);
        writeFileSync(join(folder, name), cut ? damaged.subarray(0, byte) : damaged);
        expect(await hashAt(log, events.length, { snapshots: snapshots() })).toBe(expected);
        expect(warnings.splice(0)).toEqual([
          `The snapshot of position ${events.length} was not used, and is removed: its bytes are not those that were written.`,
        ]);
        expect(files()).toEqual([]);
      },
    ),
    runs(60),
  );
});

test("a snapshot of another log is not used", async () => {
  const events = await someEvents();
  const { snapshots, warnings } = snapshotPlace();
  await takeSnapshots(await logOf(events), snapshots(), events.length, () => {});
  const log = await logOf(events, () => 1_800_000_000_000_000);
  expect(await hashAt(log, events.length, { snapshots: snapshots() })).toBe(
    hashOf(await log.read(0, 10_000)),
  );
  expect(warnings).toEqual([expect.stringContaining("it is of another log")]);
});

test("a snapshot of other reducers is not used", async () => {
  const events = await someEvents();
  const log = await logOf(events);
  const { snapshots, warnings, folder } = snapshotPlace();
  await takeSnapshots(log, snapshots(), events.length, () => {});
  const path = join(folder, `${events.length}.snapshot`);
  rewriteFacts(path, "0123456789abcdef");
  expect(await hashAt(log, events.length, { snapshots: snapshots() })).toBe(hashOf(events));
  expect(warnings).toEqual([expect.stringContaining("another version of signalbox made it")]);
});

test("without the folder nothing is lost, and dropping takes along what is being made", async () => {
  const events = await someEvents();
  const log = await logOf(events);
  const { path, snapshots, files } = snapshotPlace();
  await takeSnapshots(log, snapshots(), 10, () => {});
  expect(files().length).toBeGreaterThan(1);
  const making = snapshots().begin(0);
  dropSnapshots(path);
  const readModel = await stateAt(log, events.length, { snapshots: snapshots() });
  expect(making.finish(readModel)).toBe(false);
  making.giveUp();
  expect(snapshots().list()).toEqual([]);
  // Another process has begun to make one since.
  const next = snapshots().begin(0);
  const late = making.finish(readModel);
  expect([late, next.finish(readModel)]).toEqual([false, true]);
  next.giveUp();
  readModel.close();
});

test("where there are too many, those that are nearest to their neighbours go", async () => {
  const events = await someEvents();
  const log = await logOf(events);
  const { snapshots } = snapshotPlace();
  const few = snapshots({ count: 3, bytes: 1e9 });
  await takeSnapshots(log, few, 10, () => {});
  expect(few.list()).toHaveLength(3);
  expect(few.list().at(-1)?.position).toBe(events.length);
  const [{ bytes } = { bytes: 0 }] = few.list();
  const small = snapshots({ count: 100, bytes: bytes + 1 });
  await takeSnapshots(log, small, 7, () => {});
  expect(small.list()).toHaveLength(1);
});

/** Writes a snapshot anew with other facts, and the hash that belongs to them. */
function rewriteFacts(path: string, made_by: string): void {
  const body = readFileSync(path).subarray(65);
  const end = body.indexOf("\n");
  const facts: unknown = JSON.parse(body.subarray(0, end).toString());
  const changed = Buffer.concat([
    Buffer.from(JSON.stringify(Object.assign({}, facts, { made_by }))),
    body.subarray(end),
  ]);
  writeFileSync(path, `${createHash("sha256").update(changed).digest("hex")}\n`);
  appendFileSync(path, changed);
}
