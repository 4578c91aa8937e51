import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import type { EventLog } from "../../src/events/log.ts";
import type { Event } from "../../src/events/types/index.ts";
import { ReadModel } from "../../src/projections/read-model.ts";
import { rebuild } from "../../src/projections/rebuild.ts";
import { catchUp } from "../../src/projections/worker.ts";
import { histories } from "./commands.ts";
import { openMemoryStore } from "./executor.ts";
import { hashOf, reduceInto } from "./reducing.ts";
import { eventsOf, runs } from "./runs.ts";

const folder = mkdtempSync(join(tmpdir(), "signalbox-properties-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const newFile = () => join(folder, `${++files}.db`);

/** Where a log is cut: positions, taken modulo its length. */
const cuts = fc.array(fc.nat({ max: 200 }), { maxLength: 5 });

function* batchesOf(events: readonly Event[], at: readonly number[]): Generator<readonly Event[]> {
  const places = [...new Set(at.map((cut) => cut % (events.length + 1)))].sort((a, b) => a - b);
  let start = 0;
  for (const end of [...places, events.length]) {
    yield events.slice(start, end);
    start = end;
  }
}

test("a log gives the same read model however it is cut into batches", async () => {
  await fc.assert(
    fc.asyncProperty(histories, cuts, async (history, at) => {
      const events = await eventsOf(history);
      const readModel = new ReadModel(":memory:");
      for (const batch of batchesOf(events, at)) readModel.advance(batch, events.length);
      expect(readModel.contentHash()).toBe(hashOf(events));
      readModel.close();
    }),
    runs(100),
  );
});

test("events that a read model has seen are passed over", async () => {
  await fc.assert(
    fc.asyncProperty(histories, cuts, async (history, at) => {
      const events = await eventsOf(history);
      const readModel = new ReadModel(":memory:");
      let seen = 0;
      for (const batch of batchesOf(events, at)) {
        seen += batch.length;
        // From the first event on, again and again.
        readModel.advance(events.slice(0, seen), events.length);
      }
      expect(readModel.contentHash()).toBe(hashOf(events));
      readModel.close();
    }),
    runs(100),
  );
});

test("a read model that is closed and opened again at any point goes on where it was", async () => {
  await fc.assert(
    fc.asyncProperty(histories, cuts, async (history, at) => {
      const events = await eventsOf(history);
      const file = newFile();
      for (const batch of batchesOf(events, at)) {
        const readModel = new ReadModel(file);
        readModel.advance(batch, events.length);
        readModel.close();
      }
      const readModel = new ReadModel(file);
      expect(readModel.position()).toBe(events.length);
      expect(readModel.contentHash()).toBe(hashOf(events));
      readModel.close();
    }),
    runs(100),
  );
});

test("two workers that advance one file by turns give what one gives", async () => {
  await fc.assert(
    fc.asyncProperty(histories, cuts, fc.infiniteStream(fc.boolean()), async (history, at, turns) => {
      const events = await eventsOf(history);
      const file = newFile();
      const [one, other] = [new ReadModel(file), new ReadModel(file)];
      let seen = 0;
      for (const batch of batchesOf(events, at)) {
        seen += batch.length;
        const first = turns.next().value ? one : other;
        // Whoever comes second reads from a position that is behind by now.
        first.advance(events.slice(first.position(), seen), events.length);
        if (turns.next().value) other.advance(events.slice(Math.max(0, seen - 3), seen), events.length);
      }
      expect(one.contentHash()).toBe(hashOf(events));
      expect(other.contentHash()).toBe(hashOf(events));
      one.close();
      other.close();
    }),
    runs(100),
  );
});

test("a rebuild changes nothing, and neither does a second one", async () => {
  await fc.assert(
    fc.asyncProperty(histories, async (history) => {
      const events = await eventsOf(history);
      const [log, readModel] = [await logOf(events), new ReadModel(":memory:")];
      const hash = hashOf(events);
      await catchUp(readModel, log);
      for (let times = 0; times < 2; times++) {
        await rebuild(readModel, log);
        expect(readModel.contentHash()).toBe(hash);
      }
      readModel.close();
    }),
    runs(100),
  );
});

test("a read model that was rebuilt half-way goes on as if it had not been", async () => {
  await fc.assert(
    fc.asyncProperty(histories, fc.nat({ max: 200 }), async (history, cut) => {
      const events = await eventsOf(history);
      const readModel = new ReadModel(":memory:");
      await rebuild(readModel, await logOf(events.slice(0, cut % (events.length + 1))));
      await catchUp(readModel, await logOf(events));
      expect(readModel.contentHash()).toBe(hashOf(events));
      readModel.close();
    }),
    runs(100),
  );
});

test("no history stops a projection", async () => {
  await fc.assert(
    fc.asyncProperty(histories, async (history) => {
      const readModel = new ReadModel(":memory:");
      reduceInto(readModel, await eventsOf(history));
      expect(readModel.checkpoints.list().filter(({ state }) => state === "stopped")).toEqual([]);
      readModel.close();
    }),
    runs(100),
  );
});

/** A log of its own with these events, equal to the byte to that from which they came. */
async function logOf(events: readonly Event[]): Promise<EventLog> {
  const { log } = openMemoryStore();
  if (events.length > 0) {
    const appended = await log.append(events.map(({ position: _, ...event }) => event));
    expect(appended.events).toEqual(events);
  }
  return log;
}
