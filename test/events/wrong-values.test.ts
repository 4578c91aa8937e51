import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { line } from "../../src/events/types/fields.ts";
import { eventDefinitions } from "../../src/events/types/index.ts";
import { describeIssues, inOurWords } from "../../src/lib/wrong-values.ts";

const told = (schema: z.ZodType, value: unknown) => {
  const { error } = schema.safeParse(value, inOurWords);
  return error && describeIssues(error, "it");
};

const one = z.strictObject({ kind: z.literal("one"), at: z.int().optional() });
const two = z.strictObject({ kind: z.literal("two") });

test.each<[z.ZodType, unknown, string]>([
  [z.string(), undefined, "`it` is missing"],
  [z.string(), 7, "`it` is 7, it must be text"],
  [z.int(), "7", '`it` is "7", it must be a number'],
  [z.int(), 1.5, "`it` is 1.5, it must be a whole number"],
  [z.number(), Number.NaN, "`it` is NaN, it must be a number"],
  [z.boolean(), null, "`it` is null, it must be true or false"],
  [z.array(z.string()), {}, "`it` is {}, it must be a list"],
  [z.strictObject({}), [], "`it` is [], it must be an object"],
  [z.record(z.string(), z.int()), "x", '`it` is "x", it must be an object'],
  [z.int().max(9), 10, "`it` is 10, it must be at most 9"],
  [z.number().gt(0), 0, "`it` is 0, it must be more than 0"],
  [z.string().min(1), "", "`it` is blank"],
  [z.string().min(3), "ab", "`it` has 2 characters, at least 3 are needed"],
  [line, "x".repeat(501), "`it` has 501 characters, at most 500 are allowed"],
  [z.array(z.int()).min(1), [], "`it` is empty"],
  [z.array(z.int()).max(1_000), Array(1_001).fill(1), "`it` has 1,001 entries, at most 1,000 are allowed"],
  [z.enum(["a", "b"]), "c", '`it` is "c", legal values are a, b'],
  [z.enum(["a", "b"]), undefined, "`it` is missing, legal values are a, b"],
  [z.uuid(), "x", '`it` is "x", it must be a UUID'],
  [z.string().regex(/^a$/), "x", '`it` is "x", it must be of the form /^a$/'],
  [z.strictObject({ a: z.int() }), { a: 1, b: 2 }, '`it` has no field "b"'],
  [
    z.record(z.string().regex(/^a/, "it begins with a"), z.int()),
    { b: 1 },
    "`b` cannot be a key: it begins with a",
  ],
  [z.union([z.string(), z.null()]), 7, "`it` is 7, it must be text, or is 7, it must be null"],
  [z.discriminatedUnion("kind", [one, two]), { kind: "six" }, '`kind` is "six", legal values are one, two'],
  [z.object({ tags: z.array(line) }), { tags: ["a", 7] }, "`tags.1` is 7, it must be text"],
])("faults are described in our words (%#)", (schema, value, words) => {
  expect(told(schema, value)).toBe(words);
});

test("no fault of a payload is described in zod's words", () => {
  const odd = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom("x".repeat(100_001), -1, 1.5, 2e9, Array(2_000).fill("a")),
  );
  const wrong = fc
    .constantFrom(...eventDefinitions)
    .chain(({ payload, example }) =>
      fc
        .tuple(fc.constantFrom(...Object.keys(payload.shape), "other"), odd)
        .map(([field, value]) => ({ payload, value: { ...example, [field]: value } })),
    );
  fc.assert(
    fc.property(wrong, ({ payload, value }) => {
      const words = told(payload, value) ?? "";
      expect(words.replaceAll(/"(?:[^"\\]|\\.)*"/g, "")).not.toMatch(
        /Invalid|Too (big|small)|Unrecognized|expected|undefined/,
      );
    }),
    { numRuns: 2_000 },
  );
});
