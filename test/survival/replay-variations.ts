import { join } from "node:path";
import fc from "fast-check";
import { expect } from "vitest";
import { Random } from "../../bench/lib/random.ts";
import type { EventLog } from "../../src/events/log.ts";
import type { Event } from "../../src/events/types/index.ts";
import { ReadModel } from "../../src/read-model/read-model.ts";
import { rebuild } from "../../src/read-model/rebuild.ts";
import { catchUp } from "../../src/read-model/worker.ts";
import { openMemoryStore } from "../properties/executor.ts";
import { hashOf } from "../properties/reducing.ts";
import { inTimeZone, poisoned, poisonSql } from "./surroundings.ts";

/** One history of a log, and a folder for the files that a variation makes. */
export interface Replay {
  readonly events: readonly Event[];
  readonly seed: number;
  readonly folder: string;
}

/** Ways to reduce a log. Each gives the content hash of what it ends with, and all must give the same. */
export const variations: Readonly<Record<string, (replay: Replay) => string | Promise<string>>> = {
  "cut into batches": (replay) =>
    withReadModel(":memory:", (readModel) => {
      for (const batch of batchesOf(replay)) readModel.advance(batch, replay.events.length);
      return readModel.contentHash();
    }),

  "with events that were reduced before": (replay) =>
    withReadModel(":memory:", (readModel) => {
      let seen = 0;
      for (const batch of batchesOf(replay)) {
        seen += batch.length;
        readModel.advance(replay.events.slice(0, seen), replay.events.length);
      }
      return readModel.contentHash();
    }),

  "with a restart after each batch": (replay) => {
    const file = join(replay.folder, "restarts.db");
    for (const batch of batchesOf(replay)) {
      withReadModel(file, (readModel) => readModel.advance(batch, replay.events.length));
    }
    return withReadModel(file, (readModel) => readModel.contentHash());
  },

  "by three workers in any order, one of which rebuilds, while the log grows": async (replay) => {
    const { events, seed, folder } = replay;
    const [scheduler] = fc.sample(fc.scheduler(), { seed, numRuns: 1 });
    if (!scheduler) throw new Error("fast-check gave no scheduler.");
    const random = new Random(seed);
    const size = 1 + random.below(20);
    const half = random.below(events.length + 1);
    const log = await logOf(events.slice(0, half));
    // What a worker awaits of the log is answered when the scheduler says so, a few events at a time.
    const scheduled: EventLog = {
      ...log,
      head: scheduler.scheduleFunction(() => log.head()),
      read: scheduler.scheduleFunction((after: number, limit: number) =>
        log.read(after, Math.min(limit, size)),
      ),
    };
    const grow = async () => {
      for (let start = half; start < events.length; start += size) {
        await scheduler.schedule(Promise.resolve());
        await appendAgain(log, events.slice(start, start + size));
      }
    };
    const workers = [1, 2, 3].map(() => new ReadModel(join(folder, "workers.db")));
    const [first] = workers;
    if (!first) throw new Error("There are three workers.");
    try {
      const work = [
        grow(),
        rebuild(first, scheduled),
        ...workers.map((worker) => catchUp(worker, scheduled)),
      ];
      await scheduler.waitFor(Promise.all(work));
      for (const worker of workers) await catchUp(worker, log);
      return [...new Set(workers.map((worker) => worker.contentHash()))].join(" and ");
    } finally {
      for (const worker of workers) worker.close();
    }
  },

  "rebuilt half-way": async (replay) => {
    const { events } = replay;
    const readModel = new ReadModel(":memory:");
    try {
      const half = new Random(replay.seed).below(events.length + 1);
      await rebuild(readModel, await logOf(events.slice(0, half)));
      await catchUp(readModel, await logOf(events));
      return readModel.contentHash();
    } finally {
      readModel.close();
    }
  },

  "in another time zone": ({ events, seed }) =>
    inTimeZone(new Random(seed).pick(["Pacific/Kiritimati", "America/St_Johns", "Asia/Kathmandu"]), () =>
      hashOf(events),
    ),

  "without clock, chance and language": ({ events }) =>
    withReadModel(":memory:", (readModel) => {
      poisonSql(readModel.database);
      poisoned(() => readModel.advance(events, events.length));
      return readModel.contentHash();
    }),
};

function withReadModel<T>(path: string, work: (readModel: ReadModel) => T): T {
  const readModel = new ReadModel(path);
  try {
    return work(readModel);
  } finally {
    readModel.close();
  }
}

/** The events in up to seven batches, some of them empty. */
function batchesOf({ events, seed }: Replay): readonly (readonly Event[])[] {
  const random = new Random(seed);
  const cuts = Array.from({ length: random.below(7) }, () => random.below(events.length + 1));
  const places = [0, ...cuts.sort((a, b) => a - b), events.length];
  return places.slice(1).map((end, index) => events.slice(places[index], end));
}

/** A log of its own with these events, equal to the byte to that from which they came. */
async function logOf(events: readonly Event[]): Promise<EventLog> {
  const { log, readModel } = openMemoryStore();
  readModel.close();
  await appendAgain(log, events);
  return log;
}

async function appendAgain(log: EventLog, events: readonly Event[]): Promise<void> {
  if (events.length === 0) return;
  const appended = await log.append(events.map(({ position: _, ...event }) => event));
  expect(appended.events).toEqual(events);
}
