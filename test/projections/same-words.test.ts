import fc from "fast-check";
import { expect, test } from "vitest";
import { digestOf } from "../../src/projections/same-words.ts";

/* Catches: a correction that is joined with what it corrects, and one thing that fills the list in ten spellings. */

const isSame = (a: string, b: string) => digestOf(a) === digestOf(b);

const contradictions: readonly [string, string][] = [
  ["Use tabs, never spaces", "Use spaces, never tabs"],
  ["Set DEBUG to true in the tests", "Set DEBUG to false in the tests"],
  ["Use port 8080 for the API and 9090 for metrics", "Use port 9090 for the API and 8080 for metrics"],
  ["Retry a failing upload 3 times", "Retry a failing upload 5 times"],
  ["The shared cache is safe for threads", "The shared cache is not safe for threads"],
  ["Always run the linter before a commit", "Never run the linter before a commit"],
  ["Run the migrations before the seeds", "Run the migrations after the seeds"],
  ["Run the migrations, then the seeds", "Run the seeds, then the migrations"],
  ["The parser can read an empty file", "The parser can't read an empty file"],
  ["Call it with a lock on the table", "Call it without a lock on the table"],
  ["The limit is 5 MB", "The limit is at least 5 MB"],
  // By a sign, a mark or the case of a name.
  ["The offset is 1", "The offset is -1"],
  ["It is true if a < b", "It is true if a > b"],
  ["Skip it if x != y", "Skip it if x == y"],
  ["The limit is 1.5 seconds", "The limit is 15 seconds"],
  ["The area is 10² metres", "The area is 102 metres"],
  ["- 5 is the least offset", "5 is the least offset"],
  ["> 5 MB are refused", "5 MB are refused"],
  ["ports 1–5 are open", "ports 1, 5 are open"],
  ["Write it in C", "Write it in C++"],
  ["Start from .", "Start from .."],
  ["Pass *args to it", "Pass **args to it"],
  ["Rename __init__ to init", "Rename init to __init__"],
  ["Set it to True, not true", "Set it to true, not True"],
  ["The field is called userId", "The field is called userid"],
  ["The file is src/App.ts", "The file is src/app.ts"],
  ["Read API_KEY", "Read api_key"],
  ["Call curl with -X", "Call curl with -x"],
  ["The column is called `User`", "The column is called `user`"],
  ["Set it to `True` in the tests", "Set it to `true` in the tests"],
  ['The value is "1"', "The value is 1"],
  ["Call `save!` in jobs", "Call `save` in jobs"],
  ["Is the cache safe?", "The cache is safe"],
  // By where a sentence or a clause ends.
  ["No, tabs are right", "No tabs are right"],
  ["Don't. Use tabs", "Don't use tabs"],
  ["Retry on timeouts. In tests never wait", "Retry on timeouts in tests. Never wait"],
  ["🚂", "🚃"],
];
test.each(contradictions)("%j and %j are two learnings", (a, b) => {
  expect(isSame(a, b)).toBe(false);
  expect(isSame(a, a)).toBe(true);
  expect(isSame(b, b)).toBe(true);
});

const spellings: readonly [string, string][] = [
  ["The cache is safe.", "the CACHE is safe"],
  ["Use `npm ci`, not `npm install`!", "use npm ci not npm install"],
  ["> **Never** retry an upload", "never retry an upload."],
  ["- Use tabs — never spaces", "Use tabs, never spaces"],
  ["It’s read twice; once at the start", "It's read twice. Once at the start"],
  ["The flag (the second one) wins", "The flag the second one wins"],
  ["# Tests\nRun `npm  test`", "tests run npm test"],
  ["THE CACHE IS THE BEST", "the cache is the best"],
  ["🚂🚃", "  🚂🚃 "],
];
test.each(spellings)("%j and %j are one learning", (a, b) => {
  expect(isSame(a, b)).toBe(true);
});

const names = ["tabs", "spaces", "the API", "metrics", "`userId`", "src/app.ts", "--no-verify", "Redis"];
const verbs = ["uses", "reads", "waits for", "overrides"];
const numbers = fc.nat(99_999);
/** A sentence that says a and b of things that differ, with the words that its opposite has instead. */
const statement = fc.record({
  left: fc.constantFrom(...names.slice(0, 4)),
  right: fc.constantFrom(...names.slice(4)),
  verb: fc.constantFrom(...verbs),
  sure: fc.constantFrom("always", "never"),
  when: fc.constantFrom("before", "after", "unless", "only if"),
  value: fc.constantFrom("true", "false"),
  number: numbers,
});
type Statement = typeof statement extends fc.Arbitrary<infer Of> ? Of : never;

const saying = (of: Statement, not = "") =>
  `In tests ${of.left} ${not}${of.sure} ${of.verb} ${of.right} ${of.when} ${of.number} is ${of.value}, and 7 is not.`;

type Other = (of: Statement, number: number) => string;
const opposites: Readonly<Record<string, Other>> = {
  "two things swapped": (of) => saying({ ...of, left: of.right, right: of.left }),
  "another number": (of, by) => saying({ ...of, number: of.number + by + 1 }),
  "two numbers swapped": (of) =>
    saying({ ...of, number: 100_000 })
      .replaceAll("7", `${of.number}`)
      .replace("100000", "7"),
  "a negation added": (of) => saying(of, "not "),
  "a negation removed": (of) => saying(of).replace(" is not", " is"),
  "the other value": (of) => saying({ ...of, value: of.value === "true" ? "false" : "true" }),
  "never for always": (of) => saying({ ...of, sure: of.sure === "always" ? "never" : "always" }),
  "another order in time": (of) => saying({ ...of, when: of.when === "before" ? "after" : "before" }),
  "another sign": (of) => saying(of).replace(` ${of.number} `, ` -${of.number} `),
};

test.each(Object.keys(opposites))("a text with %s is never joined, however it is spelt", (by) => {
  fc.assert(
    fc.property(statement, numbers, spelling, spelling, (of, number, one, other) => {
      const [text, opposite] = [saying(of), opposites[by]?.(of, number) ?? ""];
      fc.pre(text !== opposite);
      expect(isSame(one(text), other(opposite))).toBe(false);
    }),
    { numRuns: 300 },
  );
});

test("two words of a text in the other order are another text", () => {
  const word = fc.stringMatching(/^[a-z]{1,6}$/);
  fc.assert(
    fc.property(fc.uniqueArray(word, { minLength: 2, maxLength: 12 }), fc.nat(), fc.nat(), (words, a, b) => {
      const [from, to] = [a % words.length, b % words.length];
      fc.pre(from !== to);
      const swapped = words.map((one, at) => (at === from ? words[to] : at === to ? words[from] : one));
      expect(isSame(words.join(" "), swapped.join(" "))).toBe(false);
    }),
  );
});

/** Ways to write a sentence down that leave alone what it says. */
const spelling: fc.Arbitrary<(text: string) => string> = fc
  .subarray([
    (text: string) => text.replace(/^In/, "in"),
    (text: string) => text.replace(/^\w+ \w+/, (words) => words.toUpperCase()),
    (text: string) => text.replaceAll(" ", "  \n "),
    (text: string) => text.replace(/\.$/, "!"),
    (text: string) => text.replace(/\.$/, ""),
    (text: string) => text.replace(", and", " and"),
    (text: string) => text.replace(", and", " — and"),
    (text: string) => text.replace("tests", "**tests**"),
    (text: string) => text.replace(/^/, "> "),
    (text: string) => text.replace(/^/, "- "),
    (text: string) => text.replaceAll("`", ""),
    (text: string) => text.replace(/tabs|metrics/g, "`$&`"),
  ])
  .map((ways) => (text) => ways.reduce((written, way) => way(written), text));

test("a text is the same in every spelling", () => {
  fc.assert(
    fc.property(statement, spelling, spelling, (of, one, other) => {
      expect(isSame(one(saying(of)), other(saying(of)))).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});
