import { expect, test } from "vitest";
import { z } from "zod";
import { defineEvent } from "../../src/events/event.ts";

/* Catches: an upcaster that was forgotten, so that an old payload is read as if it were of the present version. */
const same = (payload: Record<string, unknown>) => payload;

const define = (version: number, upcasters?: Record<number, typeof same>) => () =>
  defineEvent({
    type: "thing.made",
    version,
    description: "A thing was made.",
    payload: z.strictObject({ name: z.string() }),
    stream: () => "things",
    timeline: ({ name }) => name,
    example: { name: "one" },
    ...(upcasters && { upcasters }),
  });

test.each([
  ["the only step", 2, undefined, /no upcaster from version 1 to 2/],
  ["the first step", 3, { 2: same }, /no upcaster from version 1 to 2/],
  ["a step between others", 4, { 1: same, 3: same }, /no upcaster from version 2 to 3/],
  ["the last step", 3, { 1: same }, /no upcaster from version 2 to 3/],
])(
  "an event type that lacks %s from an older version is not defined",
  (_what, version, upcasters, message) => {
    expect(define(version, upcasters)).toThrow(message);
  },
);

test("an upcaster from the present version on is a version that was not raised", () => {
  expect(define(1, { 1: same })).toThrow(/an upcaster from version 1\. Raise the version/);
});

test("an event type with every step is defined", () => {
  expect(define(1)().version).toBe(1);
  expect(define(3, { 1: same, 2: same })().version).toBe(3);
});
