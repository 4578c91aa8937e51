import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import { fromIsoTime } from "../../src/events/time.ts";
import { histories } from "./commands.ts";
import { PRESENT_US } from "./executor.ts";
import { hashOf, timelessRowsOf } from "./reducing.ts";
import { eventsOf, eventsUnder, runs } from "./runs.ts";

const surroundings = {
  date: globalThis.Date,
  random: Math.random,
  zone: process.env.TZ,
  language: process.env.LC_ALL,
};

afterEach(restore);

test("reducers ask neither for the time nor for randomness", async () => {
  await fc.assert(
    fc.asyncProperty(histories, async (history) => {
      const events = await eventsOf(history);
      const hash = hashOf(events);
      poison();
      try {
        expect(() => Date.now()).toThrow("poisoned");
        expect(() => new Date(0)).toThrow("poisoned");
        expect(() => Math.random()).toThrow("poisoned");
        const poisoned = hashOf(events);
        restore();
        expect(poisoned).toBe(hash);
      } finally {
        restore();
      }
    }),
    runs(100),
  );
});

test("a log gives the same read model in every time zone and language", async () => {
  await fc.assert(
    fc.asyncProperty(histories, async (history) => {
      const events = await eventsOf(history);
      const hashes = ["UTC", "Pacific/Kiritimati", "America/St_Johns"].map((zone, index) => {
        process.env.TZ = zone;
        process.env.LC_ALL = ["C", "tr_TR.UTF-8", "de_DE.UTF-8"][index];
        return hashOf(events);
      });
      expect(new Set(hashes).size).toBe(1);
    }),
    runs(100),
  );
});

test("under a clock that runs backwards the same acts give the same rows, and times that increase", async () => {
  await fc.assert(
    fc.asyncProperty(
      histories,
      fc.array(fc.integer({ min: -1_000_000, max: 1_000_000 })),
      async (history, jumps) => {
        const standing = await eventsOf(history);
        const backwards = await eventsUnder(history, jumpingClock(jumps));
        const withoutTime = standing.map(({ recordedAt: _, leafHash: __, ...event }) => event);
        expect(backwards.map(({ recordedAt: _, leafHash: __, ...event }) => event)).toEqual(withoutTime);
        expect(timelessRowsOf(backwards)).toEqual(timelessRowsOf(standing));
        const times = backwards.map(({ recordedAt }) => fromIsoTime(recordedAt));
        for (const [index, time] of times.entries()) expect(time).toBeGreaterThan(times[index - 1] ?? 0);
      },
    ),
    runs(100),
  );
});

/** A clock that goes back by a second at each look, and jumps besides. */
function jumpingClock(jumps: readonly number[]): () => number {
  let looks = 0;
  let present = PRESENT_US;
  return () => {
    present += (jumps[looks++ % Math.max(jumps.length, 1)] ?? 0) - 1_000_000;
    return present;
  };
}

function poison(): void {
  const poisoned = () => {
    throw new Error("poisoned");
  };
  // A function can be called and constructed, like Date; both throw.
  globalThis.Date = Object.assign(
    function poisonedDate() {
      poisoned();
    },
    { now: poisoned, parse: poisoned, UTC: poisoned },
  ) as unknown as DateConstructor;
  Math.random = poisoned;
}

function restore(): void {
  globalThis.Date = surroundings.date;
  Math.random = surroundings.random;
  setVariable("TZ", surroundings.zone);
  setVariable("LC_ALL", surroundings.language);
}

function setVariable(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
}
