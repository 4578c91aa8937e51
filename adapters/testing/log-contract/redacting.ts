import { deepStrictEqual, strictEqual } from "node:assert/strict";
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
} from "./given.ts";
import { hasFields, type LogCase, logCase } from "./log-case.ts";
import { redactionOf } from "./redaction-of.ts";

const told = { ...comment("the secret"), id: id(1), correlation: "s-1" };

const wrongs: readonly [string, object][] = [
  ["of an event that is not there", { position: 9 }],
  ["of itself", { position: 3 }],
  ["of another type than the event's", { type: "comment.changed" }],
  ["of another schema version", { schema_version: 1 }],
  ["with another payload hash", { payload_hash: "0".repeat(64) }],
  ["that changes a number", { kept: { task: 8, author: "human", body: "[redacted]" } }],
  ["that changes a name", { kept: { task: 7, author: "[redacted]", body: "[redacted]" } }],
  ["that puts other words in the place of a text", { kept: { task: 7, author: "human", body: "all fine" } }],
  ["that leaves away a field", { kept: { task: 7, author: "human" } }],
  ["that adds a field", { kept: { task: 7, author: "human", body: "[redacted]", priority: "high" } }],
];

/** Catches: a payload that stays somewhere, a leaf that changes, a redaction of what is not there or was said otherwise. */
export const redacting: readonly LogCase[] = [
  logCase(
    "a redacted event is read without its texts, and keeps all else, from every handle and way of reading",
    async ({ log, another, reopen }) => {
      const [first] = (await log.append([told, comment("after it")])).events;
      const hash = await log.payloadHash(1);
      const seenBefore = await (await another()).read(0, 1);
      await log.append([await redactionOf(log, 1)]);

      const bare = { ...first, payload: { task: 7, author: "human", body: "[redacted]" }, redacted: 3 };
      deepStrictEqual(seenBefore, [first]);
      for (const open of [() => log, another, reopen]) {
        const handle = await open();
        deepStrictEqual((await everythingIn(handle))[0], bare);
        deepStrictEqual((await handle.readStream("task-7", 0, 1))[0], bare);
        deepStrictEqual(await handle.find(id(1)), bare);
        deepStrictEqual((await followed(handle, 0, 3))[0], bare);
        strictEqual(await handle.payloadHash(1), hash);
        deepStrictEqual(positionsOf(await everythingIn(handle)), numbers(3));
      }
    },
  ),
  logCase(
    "sent again, a redacted event is recognised by all that is left of it, and else a conflict",
    async ({ log }) => {
      await log.append([told]);
      await log.append([await redactionOf(log, 1)]);
      const again = await log.append([told]);
      strictEqual(again.outcome, "appended_before");
      hasFields(again.events[0], { position: 1, redacted: 2, payload: { body: "[redacted]" } });
      const signed = { ...told, payload: { ...told.payload, author: "somebody else" } };
      strictEqual(await codeOf(log.append([signed])), "id_conflict");
      strictEqual(await codeOf(log.append([{ ...told, actor: "agent" }])), "id_conflict");
      strictEqual(await log.head(), 2);
    },
  ),
  logCase("an event is redacted only once; its redaction can be redacted", async ({ log, another }) => {
    await log.append([told]);
    const redaction = await redactionOf(log, 1);
    await log.append([redaction]);
    strictEqual(await codeOf(log.append([redaction])), "redacted");
    strictEqual(await codeOf((await another()).append([redaction])), "redacted");
    await (await another()).append([await redactionOf(log, 2)]);
    const [first, second] = await everythingIn(log);
    hasFields(first, { redacted: 2, payload: { body: "[redacted]" } });
    hasFields(second, { redacted: 3, payload: { position: 1, reason: "[redacted]" } });
    strictEqual(await log.head(), 3);
  }),
  logCase(
    "a later handle finds the first and the last of more than 1,000 redactions",
    async ({ log, reopen }) => {
      const count = 1_002;
      await log.append(comments(count, "secret"));
      await log.append(await Promise.all(numbers(count).map((position) => redactionOf(log, position))));
      const handle = await reopen();
      for (const position of [1, count]) {
        const [event] = await handle.read(position - 1, 1);
        hasFields(event, { payload: { body: "[redacted]" }, redacted: count + position });
      }
      const later = await redactionOf(handle, count + 1);
      await handle.append([later]);
      hasFields((await handle.read(count, 1))[0], { redacted: 2 * count + 1 });
      hasFields((await handle.read(0, 1))[0], { redacted: count + 1 });
    },
  ),
  logCase("a redaction sent again under its id is answered as the first time", async ({ log }) => {
    await log.append([told]);
    const redaction = { ...(await redactionOf(log, 1)), id: id(2) };
    const { events } = await log.append([redaction]);
    deepStrictEqual(await answerOf(log.append([redaction])), { outcome: "appended_before", events });
  }),
  ...wrongs.map(([what, wrong]) =>
    logCase(`a redaction ${what} is refused, and removes nothing`, async ({ log }) => {
      await log.append([told, comment("other")]);
      const before = await everythingIn(log);
      const { payload, ...rest } = await redactionOf(log, 1);
      strictEqual(
        await codeOf(log.append([{ ...rest, payload: { ...payload, ...wrong } }])),
        "invalid_event",
      );
      deepStrictEqual(await everythingIn(log), before);
    }),
  ),
  logCase("a redaction in a refused batch removes nothing", async ({ log }) => {
    await log.append([told]);
    const redaction = await redactionOf(log, 1);
    const before = await everythingIn(log);
    strictEqual(await codeOf(log.append([redaction, comment("x")], { expectedHead: 7 })), "head_moved");
    strictEqual(await codeOf(log.append([redaction, { ...redaction }])), "invalid_event");
    deepStrictEqual(await everythingIn(log), before);
  }),
  logCase("a text that may stay is kept where it was not asked to go", async ({ log }) => {
    const answer = { task: 7, author: "human", body: "no secret" };
    await log.append([told, { ...comment("x"), payload: answer }]);
    const redaction = await redactionOf(log, 2);
    await log.append([{ ...redaction, payload: { ...redaction.payload, kept: answer } }]);
    hasFields((await log.read(1, 1))[0], { payload: answer, redacted: 3 });
  }),
];
