import { deepStrictEqual, strictEqual } from "node:assert/strict";
import type { AppendCondition } from "../../events/log.ts";
import { codeOf, comment, comments, everythingIn } from "./given.ts";
import { type LogCase, logCase } from "./log-case.ts";

const stream = (version: number, name = "task-7") => ({
  expectedStreamVersion: { stream: name, version },
});

const holding: readonly [string, AppendCondition][] = [
  ["the head that the log has", { expectedHead: 3 }],
  ["the version that the stream has", stream(2)],
  ["version 0 of a stream that does not exist", stream(0, "task-99")],
  ["a head and a version that both hold", { expectedHead: 3, ...stream(2) }],
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
  logCase(
    "of many appends that expect the same head, from two handles, exactly one wins",
    async ({ log, another }) => {
      const handles = [log, await another()];
      await log.append(comments(1));
      const codes = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          codeOf((handles[index % 2] ?? log).append([comment(`candidate ${index}`)], { expectedHead: 1 })),
        ),
      );
      strictEqual(codes.filter((code) => code === "none").length, 1);
      strictEqual(codes.filter((code) => code === "head_moved").length, 9);
      strictEqual(await log.head(), 2);
    },
  ),
];
