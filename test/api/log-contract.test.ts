import { map, take } from "rxjs";
import { expect, test } from "vitest";
import { logContract } from "../../adapters/testing/log-contract/log-contract.ts";
import type { EventLog } from "../../src/events/log.ts";
import { openMemoryLog } from "../../src/events/memory-log.ts";
import type { Event } from "../../src/events/types/index.ts";
import type { Environment } from "../../src/lib/environment.ts";

/* Catches: a case of the contract that a wrong log passes, and a log that is not disposed of. */

/** Each is a log with one fault, and the cases that tell of it; each file of the contract has some. */
const wrongLogs: readonly [string, (log: EventLog) => Partial<EventLog>, readonly string[]][] = [
  [
    "appends the events of a batch one by one",
    (log) => ({
      async append(events, condition = {}) {
        const appended: Event[] = [];
        for (const event of events) appended.push(...(await log.append([event], condition)).events);
        return { outcome: "appended", events: appended };
      },
    }),
    [
      "one invalid event keeps its whole batch out of the log",
      "a batch with a duplicate id is a conflict and writes nothing",
      "a known batch with a new event behind it is a conflict and writes nothing",
      "a batch over the limit is refused as a whole, one at the limit is accepted",
    ],
  ],
  [
    "answers with the same time each time",
    (log) => ({
      append: async (events, condition) => {
        const appended = await log.append(events, condition);
        return {
          ...appended,
          events: appended.events.map((event) => ({ ...event, recordedAt: "2026-02-11" })),
        };
      },
    }),
    [
      "recordedAt strictly increases while the clock runs, stops and jumps back",
      "append returns exactly what every handle reads",
    ],
  ],
  [
    "ignores expectedHead",
    (log) => ({
      append: (events, { expectedHead: _, ...condition } = {}) => log.append(events, condition),
    }),
    [
      "an append that expects an older head is refused and writes nothing",
      "an append that expects a later head is refused and writes nothing",
      "an append that expects an empty log is refused and writes nothing",
      "an append that expects the right version and a wrong head is refused and writes nothing",
      "of many appends that expect the same head, from two handles, exactly one wins",
    ],
  ],
  [
    "ignores unless",
    (log) => ({ append: (events, { unless: _, ...condition } = {}) => log.append(events, condition) }),
    [
      "an append that expects that no event of a task came where one did is refused and writes nothing",
      "an append that expects that no event of two tasks came where one did is refused and writes nothing",
      "an append that expects that nothing came where an event did is refused and writes nothing",
      "of many appends on condition that no event of their task came, from two handles, exactly one wins",
    ],
  ],
  [
    "ignores expectedStreamVersion",
    (log) => ({
      append: (events, { expectedStreamVersion: _, ...condition } = {}) => log.append(events, condition),
    }),
    [
      "an append that expects an older version is refused and writes nothing",
      "an append that expects a stream that is not there is refused and writes nothing",
      "an append that expects the right head and a wrong version is refused and writes nothing",
    ],
  ],
  [
    "forgets ids",
    (log) => ({
      append: (events, condition) =>
        log.append(
          events.map(({ id: _, ...event }) => event),
          condition,
        ),
    }),
    [
      "a repeated batch gets the first answer, and writes nothing",
      "a known batch with another payload is a conflict and writes nothing",
      "the answer to a repeated call wins over a condition that no longer holds",
    ],
  ],
  [
    "reads one event too many",
    (log) => ({
      read: (after, limit) => log.read(after, limit + 1),
      readStream: (stream, after, limit) => log.readStream(stream, after, limit + 1),
      positionsIn: (streams, from, to) => log.positionsIn(streams, from, to + 1),
    }),
    [
      "read returns at most `limit` events after any position",
      "readStream gives the events of one stream after a version, at most so many",
      "positionsIn gives the positions of all events of some streams within a range, ascending",
    ],
  ],
  [
    "names who recorded an event that it was not asked for",
    () => ({ recordedBy: async () => new Map([[2, "shop_a"]]) }),
    ["recordedBy names who appended the events that it is asked for, if anybody, and alters none"],
  ],
  [
    "follows from the event before",
    (log) => ({ follow: (after) => log.follow(Math.max(0, after - 1)) }),
    [
      "follow emits existing events, then new ones, from an event between, without gaps or duplicates",
      "follow emits existing events, then new ones, from the head, without gaps or duplicates",
      "two followers of one handle each get everything",
    ],
  ],
  [
    "ends its followers after the first batch",
    (log) => ({ follow: (after) => log.follow(after).pipe(take(1)) }),
    [
      "follow emits existing events, then new ones, from the first event, without gaps or duplicates",
      "a follower far behind gets every event once, page after page",
      "an event that a follower appends comes after the current batch",
    ],
  ],
  [
    "emits events twice to followers",
    (log) => ({ follow: (after) => log.follow(after).pipe(map((events) => [...events, ...events])) }),
    [
      "follow emits existing events, then new ones, from the first event, without gaps or duplicates",
      "a follower far behind gets every event once, page after page",
      "a follower gets the same events as read",
    ],
  ],
  [
    "appends what JSON cannot keep as JSON keeps it",
    (log) => ({
      append: (events, condition) =>
        log.append(
          events.map((event) => ({ ...event, payload: jsonOf(event.payload) })),
          condition,
        ),
    }),
    [
      "NaN is refused, and the log is unchanged",
      "undefined in a list is refused, and the log is unchanged",
      "a date is refused, and the log is unchanged",
    ],
  ],
  [
    "restores only the first record",
    (log) => ({ restore: (records) => log.restore(records.slice(0, 1)) }),
    [
      "restored events keep position, id, time and leaf hash, and new events follow them",
      "with a gap in positions nothing of the batch is restored",
      "with an id twice nothing of the batch is restored",
    ],
  ],
  [
    "keeps what it has read, redacted or not",
    (log) => {
      const kept = new Map<number, Event>();
      return {
        read: async (after, limit) =>
          (await log.read(after, limit)).map((event) => {
            kept.set(event.position, kept.get(event.position) ?? event);
            return kept.get(event.position) ?? event;
          }),
      };
    },
    [
      "a redacted event is read without its texts, and keeps all else, from every handle and way of reading",
      "an event is redacted only once; its redaction can be redacted",
    ],
  ],
];

test.each(wrongLogs)("a log that %s fails the cases that say so", async (_fault, fault, names) => {
  const cases = logContract(opening(fault)).filter(({ name }) => names.includes(name));
  expect(cases.map(({ name }) => name).sort()).toEqual([...names].sort());
  const passed: string[] = [];
  for (const { name, run } of cases) {
    await run().then(
      () => passed.push(name),
      () => undefined,
    );
  }
  expect(passed).toEqual([]);
});

test("no two cases have one name", () => {
  const names = logContract(opening(() => ({}))).map(({ name }) => name);
  expect(names.length).toBeGreaterThan(150);
  expect(names.filter((name, index) => names.indexOf(name) < index)).toEqual([]);
});

test("a case opens a log when it is run, and disposes of it whether it passes or fails", async () => {
  const seen: string[] = [];
  let head: Partial<EventLog> = {};
  const [first] = logContract(async (environment) => {
    seen.push("open");
    const opened = await opening(() => head)(environment);
    return { ...opened, dispose: async () => void seen.push("dispose") };
  });
  expect(seen).toEqual([]);
  await first?.run();
  expect(seen).toEqual(["open", "dispose"]);
  head = { head: async () => 99 };
  await expect(first?.run()).rejects.toMatchObject({ name: "AssertionError" });
  expect(seen).toEqual(["open", "dispose", "open", "dispose"]);
});

/** Opens a memory log with other methods in the place of its own. */
function opening(fault: (log: EventLog) => Partial<EventLog>) {
  return async (environment: () => Environment) => {
    const right = openMemoryLog(environment());
    const log = { ...right, ...fault(right) };
    return { log, another: async () => log, reopen: async () => log, dispose: () => right.close() };
  };
}

/** A value as JSON gives it back. */
function jsonOf(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value) ?? "null");
}
