import { expect, test } from "vitest";
import { counted, dayInWords, ordinal } from "../src/lib/readable.ts";

/* Catches: "1 files", "21th" and dates that another time zone moves by a day. */

test("counts agree with their noun, in words that an English speaker would say", () => {
  expect([0, 1, 2, 1_200].map((count) => counted(count, "file"))).toEqual([
    "0 files",
    "1 file",
    "2 files",
    "1,200 files",
  ]);
  expect([1, 2].map((count) => counted(count, "entry", "entries"))).toEqual(["1 entry", "2 entries"]);
});

test("ordinals have their endings, the teens included", () => {
  expect([1, 2, 3, 4, 11, 12, 13, 21, 22, 111, 1_001].map(ordinal)).toEqual(
    "1st 2nd 3rd 4th 11th 12th 13th 21st 22nd 111th 1,001st".split(" "),
  );
});

test("a day is written with its month in letters, whatever the time zone", () => {
  expect(dayInWords("2026-01-10")).toBe("10 Jan 2026");
});
