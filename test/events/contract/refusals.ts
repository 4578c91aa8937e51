import fc from "fast-check";
import { expect, test } from "vitest";
import { isBlank } from "../../../src/events/blank.ts";
import type { NewEvent } from "../../../src/events/event.ts";
import { BATCH_LIMIT } from "../../../src/events/log.ts";
import { codeOf, comment, comments, everythingIn, stateReport } from "../given.ts";
import { type OpenLog, openForTest } from "./opened-log.ts";

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

/** Catches: anything that JSON would quietly change, and a refusal that leaves a trace. */
export function describeRefusals(open: OpenLog): void {
  test.each(refused)("%s is refused, and the log is unchanged", async (_what, event, code) => {
    const { log } = await openForTest(open);
    await log.append(comments(2));
    const before = await everythingIn(log);
    expect(await codeOf(log.append([event]))).toBe(code);
    expect(await codeOf(log.append([comment("good"), event, comment("good")]))).toBe(code);
    expect(await everythingIn(log)).toEqual(before);
    expect((await log.append([comment("next")])).events[0]?.position).toBe(3);
  });

  test("a batch over the limit is refused as a whole, one at the limit is accepted", async () => {
    const { log } = await openForTest(open);
    expect(await codeOf(log.append(comments(BATCH_LIMIT + 1)))).toBe("invalid_event");
    expect(await log.head()).toBe(0);
    await log.append(comments(BATCH_LIMIT));
    expect(await log.head()).toBe(BATCH_LIMIT);
  });

  test("a read returns at most the limit, whatever it asks for", async () => {
    const { log } = await openForTest(open);
    await log.append(comments(BATCH_LIMIT));
    await log.append(comments(1));
    expect(await log.read(0, BATCH_LIMIT + 1)).toHaveLength(BATCH_LIMIT);
    expect(await log.readStream("task-7", 0, BATCH_LIMIT + 1)).toHaveLength(BATCH_LIMIT);
  });

  test("any payload is either refused or read back unchanged", async () => {
    const { log, another } = await openForTest(open);
    const reader = another();
    const value = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withSparseArray: true,
      withTypedArray: true,
      withUnicodeString: true,
      withBoxedValues: true,
      maxDepth: 4,
    });
    const outcomes = { taken: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.string({ unit: "binary" }), value, { maxKeys: 3, noNullPrototype: true }),
        async (metadata) => {
          const head = await log.head();
          const code = await codeOf(log.append([stateReport(metadata)]));
          if (code === "none") {
            outcomes.taken += 1;
            const [event] = await reader.read(head, 1);
            expect(event?.payload).toStrictEqual({ session: "s-1", state: "testing", metadata });
          } else {
            outcomes.refused += 1;
            expect(code).toBe("invalid_event");
            expect(await log.head()).toBe(head);
          }
        },
      ),
      { numRuns: 300 },
    );
    expect(outcomes.taken).toBeGreaterThan(20);
    expect(outcomes.refused).toBeGreaterThan(20);
  });

  test("any well-formed text is read back unchanged, with NUL and emoji", async () => {
    const { log, another } = await openForTest(open);
    const reader = another();
    const text = fc.string({ unit: "binary", minLength: 1 }).filter((body) => !isBlank(body));
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(text, fc.constantFrom("a\u0000", "🧨", "a\u0000b", "a\u2028b")),
        async (body) => {
          const { events } = await log.append([comment(body)]);
          const [event] = await reader.read((events[0]?.position ?? 0) - 1, 1);
          expect(event?.payload).toEqual({ task: 7, author: "human", body });
        },
      ),
    );
  });
}
