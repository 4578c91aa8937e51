import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import { eventDefinitions, fromIsoTime, toIsoTime } from "../core.ts";
import { answerOf, codeOf, comment, comments, everythingIn, id, numbers, positionsOf } from "./given.ts";
import { hasFields, type LogCase, logCase } from "./log-case.ts";
import { type GivenLog, NOON } from "./opened-log.ts";

// A redaction is of an event that there is; redacting.ts has its cases.
const alone = eventDefinitions.filter(({ type }) => type !== "event.redacted");

/** Catches: reused or skipped positions and versions, a clock that is believed, half batches, an answer unlike the log. */
export const appending: readonly LogCase[] = [
  logCase("positions are 1, 2, 3, … over batches of several sizes, from two handles", (given) =>
    appendsInOrder(given, [1, 0, 7, 2, 0, 3, 1]),
  ),
  logCase("versions of each stream are 1, 2, 3, … where streams are mixed in and between batches", (given) =>
    countsVersions(given, [[1, 2, 1], [3], [], [2, 2, 4, 1, 3], [4, 1]]),
  ),
  logCase("recordedAt strictly increases while the clock runs, stops and jumps back", (given) =>
    increasesTimes(given, [0, 5, 5, 5, -5, 4, -1, 0, 1, 3]),
  ),
  logCase("a time past the year 9999 is refused, and the log stays intact", async ({ log, clock }) => {
    await log.append([comment("before")]);
    clock.now = Date.UTC(10_000, 0) * 1_000;
    await rejects(log.append([comment("in the year 10000")]), { code: "time_out_of_range" });
    clock.now = Date.UTC(9_999, 11, 31, 23, 59, 59, 999) * 1_000;
    await rejects(log.append(comments(1_001)), { code: "time_out_of_range" });
    strictEqual((await log.append(comments(1_000))).events.at(-1)?.recordedAt, "9999-12-31T23:59:59.999999Z");
    clock.now = NOON;
    await rejects(log.append([comment("behind the last time")]), { code: "time_out_of_range" });
    strictEqual(await log.head(), 1_001);
  }),
  logCase(
    "behind a time that no number has to the microsecond, times increase too",
    async ({ log, clock }) => {
      clock.now = Date.UTC(3_000, 0) * 1_000;
      const { events } = await log.append(comments(2));
      clock.now = NOON;
      const times = [...events, ...(await log.append(comments(999))).events].map(
        ({ recordedAt }) => recordedAt,
      );
      deepStrictEqual(
        [times[0], times[1], times.at(-1)],
        ["3000-01-01T00:00:00.000000Z", "3000-01-01T00:00:00.000001Z", "3000-01-01T00:00:00.001000Z"],
      );
    },
  ),
  logCase("recordedAt is the clock's time if that is later than the last event", async ({ log, clock }) => {
    await log.append([comment("first")]);
    clock.now = NOON + 86_400_000_000 + 42;
    const { events } = await log.append([comment("a day later")]);
    strictEqual(events[0]?.recordedAt, "2026-02-12T10:23:15.000042Z");
    strictEqual(events[0]?.recordedAt, toIsoTime(clock.now));
  }),
  logCase("append returns exactly what every handle reads", async ({ log, another }) => {
    const first = await log.append([
      { ...comment("why"), id: id(1), correlation: "s-1", actor: "driver" },
      { ...comment("because"), id: id(2), causation: id(1) },
    ]);
    const second = await (await another()).append([comment("and so on", 8)]);
    strictEqual(first.outcome, "appended");
    deepStrictEqual(await log.read(0, 10), [...first.events, ...second.events]);
    deepStrictEqual(await (await another()).read(0, 10), [...first.events, ...second.events]);
    hasFields(first.events[0], { id: id(1), correlation: "s-1", actor: "driver" });
    ok(first.events[0] && !("causation" in first.events[0]));
    hasFields(first.events[1], { causation: id(1), actor: "human" });
    ok(first.events[1] && !("correlation" in first.events[1]));
  }),
  logCase(
    "how an act came is kept beside its payload, and read by every handle",
    async ({ log, another }) => {
      const via = { channel: "terminal", tty: "pts/3", program: "bash" } as const;
      const { events } = await log.append([{ ...comment("by hand"), via }, comment("as before")]);
      deepStrictEqual(await (await another()).read(0, 10), [...events]);
      hasFields(events[0], { via, payload: comment("by hand").payload });
      ok(events[1] && !("via" in events[1]));
    },
  ),
  ...alone.map((definition) =>
    logCase(
      `the example of ${definition.type} is read back unchanged, in the stream of its definition`,
      async ({ log, reopen }) => {
        await log.append([{ type: definition.type, payload: definition.example, actor: "driver" }]);
        const [event] = await (await reopen()).read(0, 1);
        deepStrictEqual(event?.payload, definition.example);
        strictEqual(event?.schemaVersion, definition.version);
        // One definition of many: the example is of its own payload type.
        const streamOf = definition.stream as (payload: unknown) => string;
        strictEqual(event?.stream, streamOf(definition.example));
      },
    ),
  ),
  logCase("an empty batch is accepted, and changes nothing", async ({ log }) => {
    deepStrictEqual(await answerOf(log.append([])), { outcome: "appended", events: [] });
    strictEqual(await log.head(), 0);
  }),
  logCase("one invalid event keeps its whole batch out of the log", async ({ log }) => {
    await log.append([comment("there before")]);
    for (const place of [0, 1, 2]) {
      const batch = comments(3);
      batch[place] = comment("   ");
      strictEqual(await codeOf(log.append(batch)), "invalid_event");
    }
    strictEqual(await log.head(), 1);
    strictEqual(await log.streamVersion("task-7"), 1);
  }),
  logCase(
    "appends that are waiting together are all done, in the order of the calls, and refused ones harm none",
    async ({ log }) => {
      const answers = await Promise.allSettled([
        log.append([{ ...comment("one"), id: id(1) }]),
        log.append([comment("too early")], { expectedHead: 9 }),
        log.append([{ ...comment("another one"), id: id(1) }]),
        log.append([{ ...comment("one"), id: id(1) }]),
        log.append([comment("two"), comment("three")], { expectedHead: 1 }),
      ]);
      deepStrictEqual(
        answers.map(({ status }) => status),
        ["fulfilled", "rejected", "rejected", "fulfilled", "fulfilled"],
      );
      const bodies = (await everythingIn(log)).map(({ payload }) => "body" in payload && payload.body);
      deepStrictEqual(bodies, ["one", "two", "three"]);
    },
  ),
  logCase("changing an event object after the call changes nothing", async ({ log }) => {
    const payload = { task: 7, author: "human", body: "as it was" };
    const append = log.append([{ type: "comment.added", payload, actor: "human" }]);
    payload.body = "changed";
    await append;
    hasFields((await log.read(0, 1))[0]?.payload, { body: "as it was" });
  }),
];

/** Appends batches of these sizes by two handles in turn. */
export async function appendsInOrder({ log, another }: GivenLog, sizes: readonly number[]): Promise<void> {
  const handles = [log, await another()];
  let head = 0;
  for (const [index, size] of sizes.entries()) {
    const { events } = (await handles[index % 2]?.append(comments(size, `batch ${index}`))) ?? {};
    deepStrictEqual(positionsOf(events ?? []), numbers(head + size, head + 1));
    head += size;
  }
  deepStrictEqual(positionsOf(await everythingIn(log)), numbers(head));
  strictEqual(await log.head(), head);
}

/** Appends batches of comments on these tasks, each of which has a stream. */
export async function countsVersions(
  { log }: GivenLog,
  batches: readonly (readonly number[])[],
): Promise<void> {
  for (const batch of batches) await log.append(batch.map((task) => comment("mixed", task)));
  const seen = new Map<string, number>();
  for (const { stream, streamVersion, payload } of await everythingIn(log)) {
    strictEqual(stream, `task-${"task" in payload ? payload.task : 0}`);
    strictEqual(streamVersion, (seen.get(stream) ?? 0) + 1);
    seen.set(stream, streamVersion);
  }
  for (const [stream, version] of seen) strictEqual(await log.streamVersion(stream), version);
}

/** Appends by two handles in turn, with the clock at these distances from NOON. */
export async function increasesTimes(
  { log, another, clock }: GivenLog,
  offsets: readonly number[],
): Promise<void> {
  const handles = [log, await another()];
  let last = "";
  for (const [index, offset] of offsets.entries()) {
    clock.now = NOON + offset;
    const { events } = (await handles[index % 2]?.append(comments(2, `${index}`))) ?? {};
    for (const { recordedAt } of events ?? []) {
      ok(recordedAt > last);
      last = recordedAt;
    }
    ok(fromIsoTime(last) > clock.now);
  }
}
