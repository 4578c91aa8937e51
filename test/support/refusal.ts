import { expect } from "vitest";

/** An error with this code, whose message has these words. */
export function coded(
  code: string | number,
  words: string | RegExp,
): { code: string | number; message: unknown } {
  return { code, message: containing(words) };
}

/** A text with these words, for an expectation. */
export function containing(words: string | RegExp): unknown {
  return typeof words === "string" ? expect.stringContaining(words) : expect.stringMatching(words);
}
