import fc from "fast-check";
import { expect, test } from "vitest";
import type { EventLog } from "../../src/events/log.ts";
import type { Event } from "../../src/events/types/index.ts";
import { ReadModel } from "../../src/read-model/read-model.ts";
import { rebuild } from "../../src/read-model/rebuild.ts";
import { catchUp } from "../../src/read-model/worker.ts";
import { histories } from "./commands.ts";
import { openMemoryStore } from "./executor.ts";
import { hashOf, reduceInto } from "./reducing.ts";
import { eventsOf, runs } from "./runs.ts";

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
    runs(15),
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
    runs(50),
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
