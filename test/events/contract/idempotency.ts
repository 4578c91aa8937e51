import { expect, test } from "vitest";
import type { Draft } from "../../../src/events/types/index.ts";
import { answerOf, codeOf, comment, comments, everythingIn, id } from "../given.ts";
import { type OpenLog, openForTest } from "./opened-log.ts";

const batch: readonly Draft<"comment.added">[] = [
  { ...comment("one"), id: id(1), correlation: "s-1" },
  { ...comment("two", 8), id: id(2), causation: id(1) },
];

/** Catches: a forgotten key, content that is not compared, a batch that is looked at by its first event only. */
export function describeIdempotency(open: OpenLog): void {
  test("a repeated batch gets the first answer, and writes nothing", async () => {
    const { log, clock } = await openForTest(open);
    const first = await log.append(batch);
    await log.append([comment("meanwhile")]);
    clock.now += 1_000_000;
    const again = await answerOf(log.append(batch));
    expect(first.outcome).toBe("appended");
    expect(again).toEqual({ outcome: "appended_before", events: first.events });
    expect(await log.head()).toBe(3);
  });

  test("an id used a thousand events and a restart ago is recognised, from every handle", async () => {
    const { log, another, reopen } = await openForTest(open);
    const first = await log.append(batch);
    await log.append(comments(1_000));
    const expected = { outcome: "appended_before", events: first.events };
    expect(await answerOf(another().append(batch))).toEqual(expected);
    const reopened = await reopen();
    expect(await answerOf(reopened.append(batch))).toEqual(expected);
    expect(await codeOf(reopened.append([{ ...comment("else"), id: id(2) }]))).toBe("id_conflict");
    expect(await reopened.head()).toBe(1_002);
  });

  const [one = comment(""), two = comment("")] = batch;
  const conflicts: readonly [string, readonly Draft[]][] = [
    ["another payload", [one, { ...two, payload: { ...two.payload, body: "altered" } }]],
    ["another stream", [one, { ...two, payload: { ...two.payload, task: 9 } }]],
    ["another actor", [{ ...one, actor: "agent" }, two]],
    ["another causation", [one, { ...two, causation: id(3) }]],
    ["no causation", [one, { ...comment("two", 8), id: id(2) }]],
    ["another correlation", [{ ...one, correlation: "s-2" }, two]],
    ["another type", [one, { id: id(2), type: "task.accepted", payload: { task: 8 }, actor: "human" }]],
    ["a new event before it", [comment("new"), ...batch]],
    ["a new event behind it", [...batch, comment("new")]],
    ["a new event instead of its first", [{ ...comment("new"), id: id(4) }, two]],
    ["a new event instead of its last", [one, { ...comment("new"), id: id(4) }]],
  ];
  test.each(conflicts)("a known batch with %s is a conflict and writes nothing", async (_what, altered) => {
    const { log, another } = await openForTest(open);
    await log.append(batch);
    const before = await everythingIn(log);
    expect(await codeOf(another().append(altered))).toBe("id_conflict");
    expect(await everythingIn(log)).toEqual(before);
  });

  test("a batch with a duplicate id is a conflict and writes nothing", async () => {
    const { log } = await openForTest(open);
    expect(await codeOf(log.append([one, { ...one }]))).toBe("id_conflict");
    expect(await log.head()).toBe(0);
  });

  test("events without an id are new each time", async () => {
    const { log } = await openForTest(open);
    await log.append([comment("again")]);
    await log.append([comment("again")]);
    const ids = (await everythingIn(log)).map((event) => event.id);
    expect(new Set(ids).size).toBe(2);
  });

  test("the answer to a repeated call wins over a condition that no longer holds", async () => {
    const { log } = await openForTest(open);
    const conditions = [
      { expectedHead: 0 },
      { expectedStreamVersion: { stream: "task-7", version: 0 } },
      { expectedHead: 0, expectedStreamVersion: { stream: "task-7", version: 0 } },
    ];
    await log.append(batch, conditions[2]);
    await log.append([comment("moves head and stream")]);
    for (const condition of conditions) {
      expect((await log.append(batch, condition)).outcome).toBe("appended_before");
    }
    expect(await log.head()).toBe(3);
  });
}
