import { deepStrictEqual, strictEqual } from "node:assert/strict";
import type { AppendCondition } from "../core.ts";
import { codeOf, comment, comments, everythingIn } from "./given.ts";
import { type LogCase, logCase } from "./log-case.ts";

const stream = (version: number, name = "task-7") => ({
  expectedStreamVersion: { stream: name, version },
});

const unless = (after: number, ...tags: readonly string[]): AppendCondition => ({ unless: { after, tags } });

const holding: readonly [string, AppendCondition][] = [
  ["the head that the log has", { expectedHead: 3 }],
  ["the version that the stream has", stream(2)],
  ["version 0 of a stream that does not exist", stream(0, "task-99")],
  ["a head and a version that both hold", { expectedHead: 3, ...stream(2) }],
  ["that no event of a task came where only another task's did", unless(2, "task-7")],
  ["that nothing came behind the head", unless(3, "*")],
  ["that nothing of no tags came", unless(0)],
  ["no condition", {}],
];

const failing: readonly [string, AppendCondition, string][] = [
  ["an older head", { expectedHead: 2 }, "head_moved"],
  ["a later head", { expectedHead: 4 }, "head_moved"],
  ["an empty log", { expectedHead: 0 }, "head_moved"],
  ["an older version", stream(1), "stream_moved"],
  ["a later version", stream(3), "stream_moved"],
  ["a stream that must not exist", stream(0), "stream_moved"],
  ["a stream that is not there", stream(1, "task-99"), "stream_moved"],
  ["the right version and a wrong head", { expectedHead: 2, ...stream(2) }, "head_moved"],
  ["the right head and a wrong version", { expectedHead: 3, ...stream(1) }, "stream_moved"],
  ["that no event of a task came where one did", unless(1, "task-7"), "moved"],
  ["that no event of two tasks came where one did", unless(2, "task-7", "task-8"), "moved"],
  ["that nothing came where an event did", unless(2, "*"), "moved"],
  ["that nothing came, and a wrong version", { ...unless(3, "*"), ...stream(1) }, "stream_moved"],
];

/** Conditions that one append of many breaks for all others. */
const racing: readonly (readonly [what: string, condition: AppendCondition, code: string])[] = [
  ["that expect the same head", { expectedHead: 1 }, "head_moved"],
  ["on condition that no event of their task came", unless(1, "task-7"), "moved"],
];

/** Catches: a condition that is checked against a stale head, off by one, or not at all. */
export const conditions: readonly LogCase[] = [
  ...holding.map(([what, condition]) =>
    logCase(`an append that expects ${what} is done`, async ({ log, another }) => {
      await (await another()).append([...comments(2), comment("other", 8)]);
      strictEqual((await log.append([comment("new")], condition)).outcome, "appended");
      strictEqual(await log.head(), 4);
    }),
  ),
  ...failing.map(([what, condition, code]) =>
    logCase(`an append that expects ${what} is refused and writes nothing`, async ({ log, another }) => {
      await (await another()).append([...comments(2), comment("other", 8)]);
      const before = await everythingIn(log);
      strictEqual(await codeOf(log.append(comments(2, "new"), condition)), code);
      deepStrictEqual(await everythingIn(log), before);
    }),
  ),
  ...racing.map(([what, condition, code]) =>
    logCase(`of many appends ${what}, from two handles, exactly one wins`, async ({ log, another }) => {
      const handles = [log, await another()];
      await log.append(comments(1));
      const codes = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          codeOf((handles[index % 2] ?? log).append([comment(`candidate ${index}`)], condition)),
        ),
      );
      strictEqual(codes.filter((one) => one === "none").length, 1);
      strictEqual(codes.filter((one) => one === code).length, 9);
      strictEqual(await log.head(), 2);
    }),
  ),
];
