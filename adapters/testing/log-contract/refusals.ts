import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { BATCH_LIMIT, type NewEvent } from "../core.ts";
import { codeOf, comment, comments, everythingIn, stateReport } from "./given.ts";
import { type LogCase, logCase } from "./log-case.ts";

const lone = "\ud800";
const cyclic: Record<string, unknown> = {};
cyclic.self = cyclic;
const nested = (levels: number): unknown => (levels === 0 ? "core" : [nested(levels - 1)]);

function payload(fields: Record<string, unknown>): NewEvent {
  return { ...comment("x"), payload: { ...comment("x").payload, ...fields } };
}

const refused: readonly [string, NewEvent, string][] = [
  ["an unknown type", { ...comment("x"), type: "comment.vanished" }, "unknown_event_type"],
  ["a type named __proto__", { ...comment("x"), type: "__proto__" }, "unknown_event_type"],
  ["a type named constructor", { ...comment("x"), type: "constructor" }, "unknown_event_type"],
  ["an unknown field", payload({ extra: 1 }), "invalid_event"],
  ["a missing field", { ...comment("x"), payload: { task: 7, author: "human" } }, "invalid_event"],
  ["a field of another type", payload({ task: "7" }), "invalid_event"],
  ["no payload", { ...comment("x"), payload: undefined }, "invalid_event"],
  ["a payload that is a list", { ...comment("x"), payload: [] }, "invalid_event"],
  ["blank text", payload({ body: " \n\t" }), "invalid_event"],
  ["empty text", payload({ body: "" }), "invalid_event"],
  ["half of a surrogate pair", payload({ body: `a${lone}b` }), "invalid_event"],
  ["half of a surrogate pair deep inside", stateReport({ a: [{ b: lone }] }), "invalid_event"],
  ["half of a surrogate pair in a field's name", stateReport({ [lone]: 1 }), "invalid_event"],
  ["NaN", stateReport({ value: Number.NaN }), "invalid_event"],
  ["Infinity", stateReport({ value: [Number.POSITIVE_INFINITY] }), "invalid_event"],
  ["-0", stateReport({ value: -0 }), "invalid_event"],
  ["undefined in an optional field", stateReport(undefined), "invalid_event"],
  ["undefined in a list", stateReport({ value: [undefined] }), "invalid_event"],
  ["a hole in a list", stateReport({ value: new Array(2) }), "invalid_event"],
  ["a field named __proto__", stateReport(JSON.parse('{"__proto__": {"a": 1}}')), "invalid_event"],
  ["a field named __proto__ inside", stateReport({ a: [JSON.parse('{"__proto__": 1}')] }), "invalid_event"],
  ["a bigint", stateReport({ value: 1n }), "invalid_event"],
  ["a function", stateReport({ toJSON: () => "else" }), "invalid_event"],
  ["a date", stateReport({ value: new Date(0) }), "invalid_event"],
  ["a map", stateReport({ value: new Map() }), "invalid_event"],
  ["a cycle", stateReport(cyclic), "invalid_event"],
  ["nesting beyond 32 levels", stateReport({ value: nested(31) }), "invalid_event"],
  ["an id that is no UUID", { ...comment("x"), id: "1" }, "invalid_event"],
  ["an id in capitals", { ...comment("x"), id: "00000000-0000-7000-8000-0000000000AB" }, "invalid_event"],
  ["an empty id", { ...comment("x"), id: "" }, "invalid_event"],
  ["a causation that is no UUID", { ...comment("x"), causation: "position 3" }, "invalid_event"],
  ["an empty actor", { ...comment("x"), actor: "" }, "invalid_event"],
  ["an actor of 201 characters", { ...comment("x"), actor: "a".repeat(201) }, "invalid_event"],
  ["an actor with a control character", { ...comment("x"), actor: "a\u0000b" }, "invalid_event"],
  ["an actor with half of a surrogate pair", { ...comment("x"), actor: lone }, "invalid_event"],
  ["an empty correlation", { ...comment("x"), correlation: "" }, "invalid_event"],
];

const kept: readonly [string, NewEvent][] = [
  ["a text with NUL", comment("a\u0000b")],
  ["a text that ends with NUL", comment("a\u0000")],
  ["a text with emoji", comment("🧨")],
  ["a text with a line separator", comment("a\u2028b")],
  ["a text in quotes", comment('"it\'s\\n"')],
  ["nesting of 32 levels", stateReport({ value: nested(30) })],
  ["numbers of any size", stateReport({ value: [0, 0.1, -1e-7, 1e21, 2 ** 53, Number.MAX_VALUE, 5e-324] })],
  ["an empty list, object, text and name", stateReport({ list: [], object: {}, text: "", "": null })],
];

/** Catches: anything that JSON would quietly change, and a refusal that leaves a trace. */
export const refusals: readonly LogCase[] = [
  ...refused.map(([what, event, code]) =>
    logCase(`${what} is refused, and the log is unchanged`, async ({ log }) => {
      await log.append(comments(2));
      const before = await everythingIn(log);
      strictEqual(await codeOf(log.append([event])), code);
      strictEqual(await codeOf(log.append([comment("good"), event, comment("good")])), code);
      deepStrictEqual(await everythingIn(log), before);
      strictEqual((await log.append([comment("next")])).events[0]?.position, 3);
    }),
  ),
  logCase("a batch over the limit is refused as a whole, one at the limit is accepted", async ({ log }) => {
    strictEqual(await codeOf(log.append(comments(BATCH_LIMIT + 1))), "invalid_event");
    strictEqual(await log.head(), 0);
    await log.append(comments(BATCH_LIMIT));
    strictEqual(await log.head(), BATCH_LIMIT);
  }),
  logCase("a read returns at most the limit, whatever it asks for", async ({ log }) => {
    await log.append(comments(BATCH_LIMIT));
    await log.append(comments(1));
    strictEqual((await log.read(0, BATCH_LIMIT + 1)).length, BATCH_LIMIT);
    strictEqual((await log.readStream("task-7", 0, BATCH_LIMIT + 1)).length, BATCH_LIMIT);
  }),
  ...kept.map(([what, event]) =>
    logCase(`a payload with ${what} is read back unchanged`, async ({ log, another }) => {
      await log.append([event]);
      const [stored] = await (await another()).read(0, 1);
      deepStrictEqual(stored?.payload, event.payload);
    }),
  ),
];
