import { expect, test } from "vitest";
import { jsonProblem } from "../../src/lib/json.ts";

/* Catches: a problem that is told of the wrong place. */
const long = "k".repeat(150);
const problems: readonly [string, unknown, string][] = [
  ["in a list of lists", [[1], Number.NaN], "payload[1] is a number that JSON cannot represent"],
  [
    "in a field of a list",
    { a: [{ b: "\ud800" }] },
    "payload.a[0].b has half of a surrogate pair, which is not a character",
  ],
  [
    "under a long name",
    { [long]: undefined },
    `payload.${"k".repeat(100)} is undefined, which JSON cannot represent`,
  ],
];

test.each(problems)("a fault %s is reported with its path", (_where, value, problem) => {
  expect(jsonProblem(value)).toBe(problem);
});

test("an object without a prototype is plain, and one of a class is not", () => {
  expect(jsonProblem(Object.assign(Object.create(null), { a: 1 }))).toBeUndefined();
  expect(jsonProblem({ at: new Map() })).toBe("payload.at is not a plain object");
});
