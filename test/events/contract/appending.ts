import fc from "fast-check";
import { expect, test } from "vitest";
import { fromIsoTime, toIsoTime } from "../../../src/events/time.ts";
import { eventDefinitions } from "../../../src/events/types/index.ts";
import {
  answerOf,
  codeOf,
  comment,
  comments,
  everythingIn,
  id,
  NOON,
  numbers,
  positionsOf,
} from "../given.ts";
import { type OpenLog, openForTest, withLog } from "./opened-log.ts";

/** Catches: reused or skipped positions and versions, a clock that is believed, half batches, an answer unlike the log. */
export function describeAppending(open: OpenLog): void {
  test("positions are 1, 2, 3, … over batches of any size, from two handles", async () => {
    const sizes = fc.array(fc.integer({ min: 0, max: 7 }), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(sizes, (given) =>
        withLog(open, async ({ log, another }) => {
          const handles = [log, another()];
          let head = 0;
          for (const [index, size] of given.entries()) {
            const { events } = (await handles[index % 2]?.append(comments(size, `batch ${index}`))) ?? {};
            expect(positionsOf(events ?? [])).toEqual(numbers(head + size, head + 1));
            head += size;
          }
          expect(positionsOf(await everythingIn(log))).toEqual(numbers(head));
          expect(await log.head()).toBe(head);
        }),
      ),
      { numRuns: 25 },
    );
  });

  test("versions of each stream are 1, 2, 3, …, however the streams are mixed", async () => {
    const tasks = fc.array(fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 6 }), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(tasks, (batches) =>
        withLog(open, async ({ log }) => {
          for (const batch of batches) await log.append(batch.map((task) => comment("mixed", task)));
          const seen = new Map<string, number>();
          for (const { stream, streamVersion, payload } of await everythingIn(log)) {
            expect(stream).toBe(`task-${"task" in payload ? payload.task : 0}`);
            expect(streamVersion).toBe((seen.get(stream) ?? 0) + 1);
            seen.set(stream, streamVersion);
          }
          for (const [stream, version] of seen) expect(await log.streamVersion(stream)).toBe(version);
        }),
      ),
      { numRuns: 25 },
    );
  });

  test("recordedAt strictly increases, whether the clock runs, stops or jumps back", async () => {
    const readings = fc.array(fc.integer({ min: -5, max: 5 }), { minLength: 2, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(readings, (offsets) =>
        withLog(open, async ({ log, another, clock }) => {
          const handles = [log, another()];
          let last = "";
          for (const [index, offset] of offsets.entries()) {
            clock.now = NOON + offset;
            const { events } = (await handles[index % 2]?.append(comments(2, `${index}`))) ?? {};
            for (const { recordedAt } of events ?? []) {
              expect(recordedAt > last).toBe(true);
              last = recordedAt;
            }
            expect(fromIsoTime(last)).toBeGreaterThan(clock.now);
          }
        }),
      ),
      { numRuns: 25 },
    );
  });

  test("a time past the year 9999 is refused, and the log stays intact", async () => {
    const { log, clock } = await openForTest(open);
    await log.append([comment("before")]);
    clock.now = Date.UTC(10_000, 0) * 1_000;
    await expect(log.append([comment("in the year 10000")])).rejects.toMatchObject({
      code: "time_out_of_range",
      message: expect.stringContaining("clock is past the year 9999"),
    });
    clock.now = Date.UTC(9_999, 11, 31, 23, 59, 59, 999) * 1_000;
    await expect(log.append(comments(1_001))).rejects.toMatchObject({ code: "time_out_of_range" });
    expect((await log.append(comments(1_000))).events.at(-1)?.recordedAt).toBe("9999-12-31T23:59:59.999999Z");
    clock.now = NOON;
    await expect(log.append([comment("behind the last time")])).rejects.toMatchObject({
      code: "time_out_of_range",
      message: expect.stringMatching(/position 1001\) was recorded at 9999-12-31.* by a wrong clock.*backup/),
    });
    expect(await log.head()).toBe(1_001);
  });

  test("behind a time that no number has to the microsecond, times increase too", async () => {
    const { log, clock } = await openForTest(open);
    clock.now = Date.UTC(3_000, 0) * 1_000;
    const { events } = await log.append(comments(2));
    clock.now = NOON;
    const times = [...events, ...(await log.append(comments(999))).events].map(
      ({ recordedAt }) => recordedAt,
    );
    expect([times[0], times[1], times.at(-1)]).toEqual([
      "3000-01-01T00:00:00.000000Z",
      "3000-01-01T00:00:00.000001Z",
      "3000-01-01T00:00:00.001000Z",
    ]);
  });

  test("recordedAt is the clock's time if that is later than the last event", async () => {
    const { log, clock } = await openForTest(open);
    await log.append([comment("first")]);
    clock.now = NOON + 86_400_000_000 + 42;
    const { events } = await log.append([comment("a day later")]);
    expect(events[0]?.recordedAt).toBe("2026-02-12T10:23:15.000042Z");
    expect(events[0]?.recordedAt).toBe(toIsoTime(clock.now));
  });

  test("append returns exactly what every handle reads", async () => {
    const { log, another } = await openForTest(open);
    const first = await log.append([
      { ...comment("why"), id: id(1), correlation: "s-1", actor: "driver" },
      { ...comment("because"), id: id(2), causation: id(1) },
    ]);
    const second = await another().append([comment("and so on", 8)]);
    expect(first.outcome).toBe("appended");
    expect(await log.read(0, 10)).toEqual([...first.events, ...second.events]);
    expect(await another().read(0, 10)).toEqual([...first.events, ...second.events]);
    expect(first.events[0]).toMatchObject({ id: id(1), correlation: "s-1", actor: "driver" });
    expect(first.events[0]).not.toHaveProperty("causation");
    expect(first.events[1]).toMatchObject({ causation: id(1), actor: "human" });
    expect(first.events[1]).not.toHaveProperty("correlation");
  });

  // A redaction is of an event that there is; redacting.ts has its tests.
  const alone = eventDefinitions.filter(({ type }) => type !== "event.redacted");
  test.each(alone.map((definition) => [definition.type, definition] as const))(
    "the example of %s is read back unchanged, in the stream of its definition",
    async (type, definition) => {
      const { log, reopen } = await openForTest(open);
      await log.append([{ type, payload: definition.example, actor: "driver" }]);
      const [event] = await (await reopen()).read(0, 1);
      expect(event?.payload).toStrictEqual(definition.example);
      expect(event?.schemaVersion).toBe(definition.version);
      // One definition of many: the example is of its own payload type.
      const streamOf = definition.stream as (payload: unknown) => string;
      expect(event?.stream).toBe(streamOf(definition.example));
    },
  );

  test("an empty batch is accepted, and changes nothing", async () => {
    const { log } = await openForTest(open);
    expect(await answerOf(log.append([]))).toEqual({ outcome: "appended", events: [] });
    expect(await log.head()).toBe(0);
  });

  test("one invalid event keeps its whole batch out of the log", async () => {
    const { log } = await openForTest(open);
    await log.append([comment("there before")]);
    for (const place of [0, 1, 2]) {
      const batch = comments(3);
      batch[place] = comment("   ");
      expect(await codeOf(log.append(batch))).toBe("invalid_event");
    }
    expect(await log.head()).toBe(1);
    expect(await log.streamVersion("task-7")).toBe(1);
  });

  test("appends that are waiting together are all done, in the order of the calls, and refused ones harm none", async () => {
    const { log } = await openForTest(open);
    const answers = await Promise.allSettled([
      log.append([{ ...comment("one"), id: id(1) }]),
      log.append([comment("too early")], { expectedHead: 9 }),
      log.append([{ ...comment("another one"), id: id(1) }]),
      log.append([{ ...comment("one"), id: id(1) }]),
      log.append([comment("two"), comment("three")], { expectedHead: 1 }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([
      "fulfilled",
      "rejected",
      "rejected",
      "fulfilled",
      "fulfilled",
    ]);
    const bodies = (await everythingIn(log)).map(({ payload }) => "body" in payload && payload.body);
    expect(bodies).toEqual(["one", "two", "three"]);
  });

  test("changing an event object after the call changes nothing", async () => {
    const { log } = await openForTest(open);
    const payload = { task: 7, author: "human", body: "as it was" };
    const append = log.append([{ type: "comment.added", payload, actor: "human" }]);
    payload.body = "changed";
    await append;
    expect((await log.read(0, 1))[0]?.payload).toMatchObject({ body: "as it was" });
  });
}
