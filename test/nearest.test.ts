import { expect, test } from "vitest";
import { didYouMean, nearest } from "../src/lib/nearest.ts";

/* Catches: a suggestion that nobody can have meant. */

test.each([
  ["questoins", "questions"],
  ["jbos", "jobs"],
  ["fsat", "fast"],
  ["don", "done"],
  ["asks", "ask"],
  ["Grace-S", "grace_s"],
])("%s is near to %s", (name, meant) => {
  expect(nearest(name, ["questions", "jobs", "fast", "done", "ask", "grace_s"])).toBe(meant);
});

test.each(["nope", "gone2", "of", "x", "tasks"])("%s is near to neither done nor ask", (name) => {
  expect(nearest(name, ["done", "ask"])).toBeUndefined();
});

test("a refusal suggests the nearest name, and nothing if no name is near", () => {
  expect(didYouMean("jbos", ["questions", "jobs"])).toBe(' Did you mean "jobs"?');
  expect(didYouMean("nope", ["questions", "jobs"])).toBe("");
});
