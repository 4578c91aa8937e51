import { expect, test } from "vitest";
import {
  answerOf,
  codeOf,
  comment,
  comments,
  everythingIn,
  followed,
  id,
  numbers,
  positionsOf,
} from "../given.ts";
import { redactionOf } from "../redaction-of.ts";
import { type OpenLog, openForTest } from "./opened-log.ts";

const told = { ...comment("the secret"), id: id(1), correlation: "s-1" };

/** Catches: a payload that stays somewhere, a leaf that changes, a redaction of what is not there or was said otherwise. */
export function describeRedacting(openLog: OpenLog): void {
  test("a redacted event is read without its texts, and keeps all else, from every handle and way of reading", async () => {
    const { log, another, reopen } = await openForTest(openLog);
    const [first] = (await log.append([told, comment("after it")])).events;
    const hash = await log.payloadHash(1);
    const seenBefore = await another().read(0, 1);
    await log.append([await redactionOf(log, 1)]);

    const bare = { ...first, payload: { task: 7, author: "human", body: "[redacted]" }, redacted: 3 };
    expect(seenBefore).toEqual([first]);
    for (const open of [() => log, another, reopen]) {
      const handle = await open();
      expect((await everythingIn(handle))[0]).toEqual(bare);
      expect((await handle.readStream("task-7", 0, 1))[0]).toEqual(bare);
      expect(await handle.find(id(1))).toEqual(bare);
      expect((await followed(handle, 0, 3))[0]).toEqual(bare);
      expect(await handle.payloadHash(1)).toBe(hash);
      expect(positionsOf(await everythingIn(handle))).toEqual(numbers(3));
    }
  });

  test("sent again, a redacted event is recognised by all that is left of it, and else a conflict", async () => {
    const { log } = await openForTest(openLog);
    await log.append([told]);
    await log.append([await redactionOf(log, 1)]);
    const again = await log.append([told]);
    expect(again.outcome).toBe("appended_before");
    expect(again.events[0]).toMatchObject({ position: 1, redacted: 2, payload: { body: "[redacted]" } });
    const signed = { ...told, payload: { ...told.payload, author: "somebody else" } };
    expect(await codeOf(log.append([signed]))).toBe("id_conflict");
    expect(await codeOf(log.append([{ ...told, actor: "agent" }]))).toBe("id_conflict");
    expect(await log.head()).toBe(2);
  });

  test("an event is redacted only once; its redaction can be redacted", async () => {
    const { log, another } = await openForTest(openLog);
    await log.append([told]);
    const redaction = await redactionOf(log, 1);
    await log.append([redaction]);
    expect(await codeOf(log.append([redaction]))).toBe("redacted");
    expect(await codeOf(another().append([redaction]))).toBe("redacted");
    await another().append([await redactionOf(log, 2)]);
    const [first, second] = await everythingIn(log);
    expect(first).toMatchObject({ redacted: 2, payload: { body: "[redacted]" } });
    expect(second).toMatchObject({ redacted: 3, payload: { position: 1, reason: "[redacted]" } });
    expect(await log.head()).toBe(3);
  });

  test("a later handle finds the first and the last of more than 1,000 redactions", async () => {
    const { log, reopen } = await openForTest(openLog);
    const count = 1_002;
    await log.append(comments(count, "secret"));
    await log.append(await Promise.all(numbers(count).map((position) => redactionOf(log, position))));
    const handle = await reopen();
    for (const position of [1, count]) {
      const [event] = await handle.read(position - 1, 1);
      expect(event).toMatchObject({ payload: { body: "[redacted]" }, redacted: count + position });
    }
    const later = await redactionOf(handle, count + 1);
    await handle.append([later]);
    expect((await handle.read(count, 1))[0]).toMatchObject({ redacted: 2 * count + 1 });
    expect((await handle.read(0, 1))[0]).toMatchObject({ redacted: count + 1 });
  });

  test("a redaction sent again under its id is answered as the first time", async () => {
    const { log } = await openForTest(openLog);
    await log.append([told]);
    const redaction = { ...(await redactionOf(log, 1)), id: id(2) };
    const { events } = await log.append([redaction]);
    expect(await answerOf(log.append([redaction]))).toEqual({ outcome: "appended_before", events });
  });

  const wrongs: readonly [string, object][] = [
    ["of an event that is not there", { position: 9 }],
    ["of itself", { position: 3 }],
    ["of another type than the event's", { type: "comment.changed" }],
    ["of another schema version", { schema_version: 1 }],
    ["with another payload hash", { payload_hash: "0".repeat(64) }],
    ["that changes a number", { kept: { task: 8, author: "human", body: "[redacted]" } }],
    ["that changes a name", { kept: { task: 7, author: "[redacted]", body: "[redacted]" } }],
    [
      "that puts other words in the place of a text",
      { kept: { task: 7, author: "human", body: "all fine" } },
    ],
    ["that leaves away a field", { kept: { task: 7, author: "human" } }],
    ["that adds a field", { kept: { task: 7, author: "human", body: "[redacted]", priority: "high" } }],
  ];
  test.each(wrongs)("a redaction %s is refused, and removes nothing", async (_what, wrong) => {
    const { log } = await openForTest(openLog);
    await log.append([told, comment("other")]);
    const before = await everythingIn(log);
    const { payload, ...rest } = await redactionOf(log, 1);
    expect(await codeOf(log.append([{ ...rest, payload: { ...payload, ...wrong } }]))).toBe("invalid_event");
    expect(await everythingIn(log)).toEqual(before);
  });

  test("a redaction in a refused batch removes nothing", async () => {
    const { log } = await openForTest(openLog);
    await log.append([told]);
    const redaction = await redactionOf(log, 1);
    const before = await everythingIn(log);
    expect(await codeOf(log.append([redaction, comment("x")], { expectedHead: 7 }))).toBe("head_moved");
    expect(await codeOf(log.append([redaction, { ...redaction }]))).toBe("invalid_event");
    expect(await everythingIn(log)).toEqual(before);
  });

  test("a text that may stay is kept where it was not asked to go", async () => {
    const { log } = await openForTest(openLog);
    const answer = { task: 7, author: "human", body: "no secret" };
    await log.append([told, { ...comment("x"), payload: answer }]);
    const redaction = await redactionOf(log, 2);
    await log.append([{ ...redaction, payload: { ...redaction.payload, kept: answer } }]);
    expect((await log.read(1, 1))[0]).toMatchObject({ payload: answer, redacted: 3 });
  });
}
