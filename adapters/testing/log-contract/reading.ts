import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { codeOf, comment, comments, everythingIn, id, numbers, positionsOf } from "./given.ts";
import { hasFields, type LogCase, logCase } from "./log-case.ts";

/** Catches: pages off by one, streams that mix, an id looked up by prefix or case, a handle that works after close. */
export const reading: readonly LogCase[] = [
  logCase("read returns at most `limit` events after any position", async ({ log, another }) => {
    await log.append(comments(23));
    const all = await everythingIn(await another());
    for (const after of numbers(25, 0)) {
      for (const limit of numbers(25, 0)) {
        deepStrictEqual(await log.read(after, limit), all.slice(after, after + limit));
      }
    }
  }),
  logCase(
    "readStream gives the events of one stream after a version, at most so many",
    async ({ log, another }) => {
      for (let round = 0; round < 8; round++) {
        await log.append([comment("a", 1), comment("b", 11), comment("c", 1), comment("d", 2)]);
      }
      const all = await everythingIn(await another());
      for (const stream of ["task-1", "task-11", "task-2", "task-3", "task", ""]) {
        const ofStream = all.filter((event) => event.stream === stream);
        for (const after of numbers(17, 0)) {
          for (const limit of [0, 1, 2, 7, 8, 15, 16, 17]) {
            deepStrictEqual(await log.readStream(stream, after, limit), ofStream.slice(after, after + limit));
          }
        }
      }
    },
  ),
  logCase(
    "positionsIn gives the positions of all events of some streams within a range, ascending",
    async ({ log, another }) => {
      for (let round = 0; round < 8; round++) {
        await log.append([comment("a", 1), comment("b", 11), comment("c", 1), comment("d", 2)]);
      }
      const all = await everythingIn(await another());
      for (const streams of [
        [],
        [""],
        ["task-3"],
        ["task-1"],
        ["task-2", "task-11"],
        ["task-1", "task-3", "task-1"],
        ["task-11", "task-2", "task-1"],
      ]) {
        const ofStreams = all
          .filter(({ stream }) => streams.includes(stream))
          .map(({ position }) => position);
        for (const from of [0, 1, 2, 3, 4, 17, 32, 33, 40]) {
          for (const to of [0, 1, 2, 3, 4, 16, 31, 32, 40, Number.POSITIVE_INFINITY]) {
            const within = ofStreams.filter((position) => position >= from && position <= to);
            deepStrictEqual(await log.positionsIn(streams, from, to), within);
          }
        }
      }
    },
  ),
  logCase(
    "recordedBy names who appended the events that it is asked for, if anybody, and alters none",
    async ({ log, another }) => {
      await log.append(comments(3));
      const before = await everythingIn(log);
      const recorded = await log.recordedBy([0, 1, 3, 4, -1]);
      deepStrictEqual([...recorded.keys()].sort(), log.hosts ? [1, 3] : []);
      ok([...recorded.values()].every((name) => name !== ""));
      deepStrictEqual(await (await another()).recordedBy([3, 1]), recorded);
      deepStrictEqual(await log.recordedBy([]), new Map());
      deepStrictEqual(await everythingIn(log), before);
    },
  ),
  logCase("find returns the event with an id, and undefined for other texts", async ({ log, another }) => {
    await log.append([...comments(2), { ...comment("third"), id: id(0xabc) }, comment("fourth")]);
    strictEqual((await log.find(id(0xabc)))?.position, 3);
    hasFields((await (await another()).find(id(0xabc)))?.payload, { body: "third" });
    for (const other of [id(0xabd), id(0xabc).toUpperCase(), id(0xabc).slice(0, -1), "", "x"]) {
      strictEqual(await log.find(other), undefined);
    }
  }),
  logCase("head and streamVersion follow every append of every handle", async ({ log, another }) => {
    const other = await another();
    deepStrictEqual([await log.head(), await log.streamVersion("task-7")], [0, 0]);
    await other.append([comment("one"), comment("elsewhere", 8)]);
    deepStrictEqual([await log.head(), await log.streamVersion("task-7")], [2, 1]);
    await log.append([comment("two")]);
    deepStrictEqual([await other.head(), await other.streamVersion("task-7")], [3, 2]);
    strictEqual(await other.streamVersion("task-70"), 0);
  }),
  logCase("a reopened log has the same events", async ({ log, reopen }) => {
    await log.append([comment("kept"), comment("too", 8)]);
    const before = await everythingIn(log);
    const reopened = await reopen();
    deepStrictEqual(await everythingIn(reopened), before);
    const { events } = await reopened.append([comment("goes on", 8)]);
    hasFields(events[0], { position: 3, streamVersion: 2 });
  }),
  logCase("a closed log refuses every use with the code closed", async ({ log }) => {
    await log.append(comments(1));
    await log.close();
    const uses = [
      () => log.append(comments(1)),
      () => log.append([]),
      () => log.read(0, 1),
      () => log.readStream("task-7", 0, 1),
      () => log.recordedBy([1]),
      () => log.find(id(1)),
      () => log.find("no id"),
      () => log.head(),
      () => log.streamVersion("task-7"),
    ];
    deepStrictEqual(
      await Promise.all(uses.map(codeOf)),
      uses.map(() => "closed"),
    );
    await log.close();
  }),
  logCase("appends that were accepted before close are completed", async ({ log, reopen }) => {
    const appends = [log.append(comments(2)), log.append(comments(3))];
    const closing = log.close();
    const answers = await Promise.all(appends);
    await closing;
    deepStrictEqual(
      answers.flatMap(({ events }) => positionsOf(events)),
      [1, 2, 3, 4, 5],
    );
    const reopened = await reopen();
    if (reopened !== log) strictEqual(await reopened.head(), 5);
  }),
];
