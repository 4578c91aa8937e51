import { deepStrictEqual, strictEqual } from "node:assert/strict";
import type { Draft } from "../core.ts";
import { answerOf, codeOf, comment, comments, everythingIn, id } from "./given.ts";
import { type LogCase, logCase } from "./log-case.ts";

const batch: readonly Draft<"comment.added">[] = [
  { ...comment("one"), id: id(1), correlation: "s-1" },
  { ...comment("two", 8), id: id(2), causation: id(1) },
];

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

/** Catches: a forgotten key, content that is not compared, a batch that is looked at by its first event only. */
export const idempotency: readonly LogCase[] = [
  logCase("a repeated batch gets the first answer, and writes nothing", async ({ log, clock }) => {
    const first = await log.append(batch);
    await log.append([comment("meanwhile")]);
    clock.now += 1_000_000;
    const again = await answerOf(log.append(batch));
    strictEqual(first.outcome, "appended");
    deepStrictEqual(again, { outcome: "appended_before", events: first.events });
    strictEqual(await log.head(), 3);
  }),
  logCase(
    "an id used a thousand events and a restart ago is recognised, from every handle",
    async ({ log, another, reopen }) => {
      const first = await log.append(batch);
      await log.append(comments(1_000));
      const expected = { outcome: "appended_before", events: first.events };
      deepStrictEqual(await answerOf((await another()).append(batch)), expected);
      const reopened = await reopen();
      deepStrictEqual(await answerOf(reopened.append(batch)), expected);
      strictEqual(await codeOf(reopened.append([{ ...comment("else"), id: id(2) }])), "id_conflict");
      strictEqual(await reopened.head(), 1_002);
    },
  ),
  ...conflicts.map(([what, altered]) =>
    logCase(`a known batch with ${what} is a conflict and writes nothing`, async ({ log, another }) => {
      await log.append(batch);
      const before = await everythingIn(log);
      strictEqual(await codeOf((await another()).append(altered)), "id_conflict");
      deepStrictEqual(await everythingIn(log), before);
    }),
  ),
  logCase("a batch with a duplicate id is a conflict and writes nothing", async ({ log }) => {
    strictEqual(await codeOf(log.append([one, { ...one }])), "id_conflict");
    strictEqual(await log.head(), 0);
  }),
  logCase("events without an id are new each time", async ({ log }) => {
    await log.append([comment("again")]);
    await log.append([comment("again")]);
    const ids = (await everythingIn(log)).map((event) => event.id);
    strictEqual(new Set(ids).size, 2);
  }),
  logCase("the answer to a repeated call wins over a condition that no longer holds", async ({ log }) => {
    const conditions = [
      { expectedHead: 0 },
      { expectedStreamVersion: { stream: "task-7", version: 0 } },
      { expectedHead: 0, expectedStreamVersion: { stream: "task-7", version: 0 } },
    ];
    await log.append(batch, conditions[2]);
    await log.append([comment("moves head and stream")]);
    for (const condition of conditions) {
      strictEqual((await log.append(batch, condition)).outcome, "appended_before");
    }
    strictEqual(await log.head(), 3);
  }),
];
