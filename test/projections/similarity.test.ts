import fc from "fast-check";
import { expect, test } from "vitest";
import { areSimilar, fingerprintOf, probesOf } from "../../src/projections/similarity.ts";

/* Catches: a probe that misses a similar text (a prefix one word too short, an order that differs), a guard that is lost. */

const words = [
  "the",
  "cache",
  "is",
  "safe",
  "retry",
  "3",
  "times",
  "not",
  "don't",
  "Über",
  "naïve",
  "x",
  "ein_name",
];
const word = fc.oneof(fc.constantFrom(...words), fc.string({ unit: "grapheme", minLength: 1, maxLength: 5 }));
/** Two texts with much in common: some words of one are left out, added or moved in the other. */
const pair = fc
  .record({
    common: fc.array(word, { maxLength: 25 }),
    left: fc.array(word, { maxLength: 3 }),
    right: fc.array(word, { maxLength: 3 }),
    separator: fc.constantFrom(" ", ", ", "\n", " - "),
  })
  .chain(({ common, left, right, separator }) =>
    fc
      .shuffledSubarray(common, { minLength: common.length, maxLength: common.length })
      .map((shuffled) => [[...common, ...left].join(" "), [...right, ...shuffled].join(separator)] as const),
  );

test("two similar texts share a probe, or are the same without any word", () => {
  let similar = 0;
  fc.assert(
    fc.property(pair, ([a, b]) => {
      const [one, other] = [fingerprintOf(a), fingerprintOf(b)];
      fc.pre(areSimilar(one, other));
      similar += 1;
      const shared = probesOf(one).filter((probe) => probesOf(other).includes(probe));
      expect(shared.length > 0 || (one.words.size === 0 && one.digest === other.digest)).toBe(true);
    }),
    { numRuns: 1_000 },
  );
  expect(similar).toBeGreaterThan(100);
});

test("similarity goes both ways, and every text is similar to itself", () => {
  fc.assert(
    fc.property(pair, ([a, b]) => {
      const [one, other] = [fingerprintOf(a), fingerprintOf(b)];
      expect(areSimilar(one, other)).toBe(areSimilar(other, one));
      expect(areSimilar(one, one)).toBe(true);
    }),
  );
});

test("a text has few probes: one for each fifth of its words, and one more", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.stringMatching(/^[a-z]{1,8}$/), { maxLength: 60 }), (distinct) => {
      const fingerprint = fingerprintOf(distinct.join(" "));
      expect(probesOf(fingerprint).length).toBeLessThanOrEqual(Math.floor(distinct.length / 5) + 1);
    }),
  );
});

const same: readonly [string, string][] = [
  ["The cache is safe.", "the CACHE is safe"],
  ["Use `npm ci`, not `npm install`!", "use npm ci not npm install"],
  ["The build needs node twenty and a clean checkout", "The build needs node twenty and one clean checkout"],
  ["ｗｉｄｅ letters are letters", "wide letters are letters"],
  ["🚂🚃", "  🚂🚃 "],
];
test.each(same)("%j and %j say the same", (a, b) => {
  expect(areSimilar(fingerprintOf(a), fingerprintOf(b))).toBe(true);
});

const different: readonly [string, string][] = [
  ["the cache of the parser is safe for all threads", "the cache of the parser is not safe for all threads"],
  ["is safe", "is not safe"],
  [
    "retry a failing upload 3 times before giving up here",
    "retry a failing upload 5 times before giving up here",
  ],
  [
    "the parser can read an empty file of any kind here",
    "the parser can't read an empty file of any kind here",
  ],
  [
    "always call it with a lock on the table being open",
    "always call it without a lock on the table being open",
  ],
  ["🚂", "🚃"],
  ["one two three four", "five six seven eight"],
];
test.each(different)("%j and %j do not say the same", (a, b) => {
  expect(areSimilar(fingerprintOf(a), fingerprintOf(b))).toBe(false);
});
