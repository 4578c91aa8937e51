import fc from "fast-check";
import { expect, test } from "vitest";
import { codeOf, comment, comments, everythingIn, id, positionsOf } from "../given.ts";
import { type OpenLog, openForTest } from "./opened-log.ts";

/** Catches: pages off by one, streams that mix, an id looked up by prefix or case, a handle that works after close. */
export function describeReading(open: OpenLog): void {
  test("read returns at most `limit` events after any position", async () => {
    const { log, another } = await openForTest(open);
    await log.append(comments(23));
    const all = await everythingIn(another());
    const page = fc.tuple(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 30 }));
    await fc.assert(
      fc.asyncProperty(page, async ([after, limit]) => {
        expect(await log.read(after, limit)).toEqual(all.slice(after, after + limit));
      }),
    );
  });

  test("readStream gives the events of one stream after a version, at most so many", async () => {
    const { log, another } = await openForTest(open);
    for (let round = 0; round < 8; round++) {
      await log.append([comment("a", 1), comment("b", 11), comment("c", 1), comment("d", 2)]);
    }
    const all = await everythingIn(another());
    const page = fc.record({
      stream: fc.constantFrom("task-1", "task-11", "task-2", "task-3", "task", ""),
      after: fc.integer({ min: 0, max: 20 }),
      limit: fc.integer({ min: 0, max: 20 }),
    });
    await fc.assert(
      fc.asyncProperty(page, async ({ stream, after, limit }) => {
        const expected = all.filter((event) => event.stream === stream).slice(after, after + limit);
        expect(await log.readStream(stream, after, limit)).toEqual(expected);
      }),
    );
  });

  test("positionsIn gives the positions of all events of some streams within a range, ascending", async () => {
    const { log, another } = await openForTest(open);
    for (let round = 0; round < 8; round++) {
      await log.append([comment("a", 1), comment("b", 11), comment("c", 1), comment("d", 2)]);
    }
    const all = await everythingIn(another());
    const asked = fc.record({
      streams: fc.array(fc.constantFrom<string>("task-1", "task-11", "task-2", "task-3", "")),
      from: fc.integer({ min: 0, max: 40 }),
      to: fc.oneof(fc.integer({ min: 0, max: 40 }), fc.constant(Number.POSITIVE_INFINITY)),
    });
    await fc.assert(
      fc.asyncProperty(asked, async ({ streams, from, to }) => {
        const wanted = all.filter(
          ({ stream, position }) => streams.includes(stream) && position >= from && position <= to,
        );
        expect(await log.positionsIn(streams, from, to)).toEqual(wanted.map(({ position }) => position));
      }),
    );
  });

  test("find returns the event with an id, and undefined for other texts", async () => {
    const { log, another } = await openForTest(open);
    await log.append([...comments(2), { ...comment("third"), id: id(0xabc) }, comment("fourth")]);
    expect((await log.find(id(0xabc)))?.position).toBe(3);
    expect((await another().find(id(0xabc)))?.payload).toMatchObject({ body: "third" });
    for (const other of [id(0xabd), id(0xabc).toUpperCase(), id(0xabc).slice(0, -1), "", "x"]) {
      expect(await log.find(other)).toBeUndefined();
    }
  });

  test("head and streamVersion follow every append of every handle", async () => {
    const { log, another } = await openForTest(open);
    const other = another();
    expect([await log.head(), await log.streamVersion("task-7")]).toEqual([0, 0]);
    await other.append([comment("one"), comment("elsewhere", 8)]);
    expect([await log.head(), await log.streamVersion("task-7")]).toEqual([2, 1]);
    await log.append([comment("two")]);
    expect([await other.head(), await other.streamVersion("task-7")]).toEqual([3, 2]);
    expect(await other.streamVersion("task-70")).toBe(0);
  });

  test("a reopened log has the same events", async () => {
    const { log, reopen } = await openForTest(open);
    await log.append([comment("kept"), comment("too", 8)]);
    const before = await everythingIn(log);
    const reopened = await reopen();
    expect(await everythingIn(reopened)).toEqual(before);
    const { events } = await reopened.append([comment("goes on", 8)]);
    expect(events[0]).toMatchObject({ position: 3, streamVersion: 2 });
  });

  test("a closed log refuses every use with the code closed", async () => {
    const { log } = await openForTest(open);
    await log.append(comments(1));
    await log.close();
    const uses = [
      () => log.append(comments(1)),
      () => log.append([]),
      () => log.read(0, 1),
      () => log.readStream("task-7", 0, 1),
      () => log.find(id(1)),
      () => log.find("no id"),
      () => log.head(),
      () => log.streamVersion("task-7"),
    ];
    expect(await Promise.all(uses.map(codeOf))).toEqual(uses.map(() => "closed"));
    await log.close();
  });

  test("appends that were accepted before close are completed", async () => {
    const { log, reopen } = await openForTest(open);
    const appends = [log.append(comments(2)), log.append(comments(3))];
    const closing = log.close();
    const answers = await Promise.all(appends);
    await closing;
    expect(answers.flatMap(({ events }) => positionsOf(events))).toEqual([1, 2, 3, 4, 5]);
    const reopened = await reopen();
    if (reopened !== log) expect(await reopened.head()).toBe(5);
  });
}
