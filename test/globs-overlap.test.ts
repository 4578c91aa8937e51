import fc from "fast-check";
import { expect, test } from "vitest";
import { overlap, takesPath } from "../src/lib/globs-overlap.ts";

/* Catches: a path that two globs match and that is not found, one that none matches and that is, an answer that takes for ever. */

const name = fc.stringMatching(/^[a-c.]{0,2}[a-c]$/);
const path = fc.array(name, { minLength: 1, maxLength: 5 });

/** A glob that matches the path, or something above it: parts of it are replaced by wildcards. */
function globOf(names: readonly string[]): fc.Arbitrary<string> {
  const parts = names.map((one) =>
    fc.oneof(
      fc.constant(one),
      fc.constantFrom("*", "**", `${one[0]}*`, `*${one.at(-1)}`, `{${one},other}`, `{${one},x/y}`),
      fc.constant([...one].map(() => "?").join("")),
      fc.constant(`[${one[0]}z]${one.slice(1)}`),
      fc.constant(`**/${one}`),
      fc.constant(`./${one}/`),
    ),
  );
  return fc
    .tuple(fc.tuple(...parts), fc.nat(names.length - 1), fc.nat(names.length - 1), fc.boolean())
    .map(([made, from, until, gap]) => {
      // Any run of folders may be what `**` stands for; and what is above a path stands for it.
      const shortened =
        gap && from <= until ? [...made.slice(0, from), "**", ...made.slice(until + 1)] : made;
      return shortened.join("/");
    });
}

const ofOnePath = path.chain((names) => fc.tuple(globOf(names), globOf(names), fc.nat(names.length)));

test("two globs that match one path overlap, and also where one of them stops above it", () => {
  fc.assert(
    fc.property(ofOnePath, ([one, other, length]) => {
      expect(overlap(one, other)).toBe(true);
      const above = one.split("/").slice(0, length).join("/");
      if (!above.includes(".")) expect(overlap(above, one)).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});

test("the order of two globs does not matter", () => {
  const any = path.chain(globOf);
  fc.assert(
    fc.property(any, any, (one, other) => {
      expect(overlap(one, other)).toBe(overlap(other, one));
    }),
    { numRuns: 2_000 },
  );
});

test("two paths without wildcards overlap if they are the same or one lies beneath the other, else never", () => {
  fc.assert(
    fc.property(path, path, (one, other) => {
      const length = Math.min(one.length, other.length);
      const above = (names: readonly string[]) => names.slice(0, length).join("/");
      // A name of dots alone would be a folder's own.
      expect(overlap(one.join("/"), other.join("//"))).toBe(above(one) === above(other));
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  ["src", "src/a.ts", true],
  ["src/", "./src//a.ts", true],
  ["src", "src-old/a.ts", false],
  [".", "anything", true],
  ["src/*.ts", "src/deep/a.ts", false],
  ["src/*", "src/deep/a.ts", true],
  ["src/**/*.ts", "src/a.ts", true],
  ["src/**/*.ts", "src/deep/er/a.ts", true],
  ["src/**/b.ts", "src/xb.ts", false],
  ["src/**/*.test.ts", "src/a.ts", false],
  ["src/**/*.test.ts", "src/deep", true],
  ["**/*.md", "src/**/*.ts", false],
  ["v1.2", "v1.2/**/a.ts", true],
  ["v1.2", "v1.2/a.ts", true],
  ["src/**/a.ts", "test/**", false],
  ["**/*.md", "docs", true],
  ["a?.ts", "a.ts", false],
  ["a?.ts", "a/.ts", false],
  ["a[0-9].ts", "ab.ts", true],
  ["src/{a,b}.ts", "src/deep/c.ts", true],
  ["src/{a,{b,c}}/x", "test/b/x", false],
  ["{open", "{open", true],
  ["{open", "open", false],
  ["docs/*.md", "docs/*.ts", false],
  ["*.test.ts", "a*.ts", true],
])("%s and %s: %s", (one, other, expected) => {
  expect(overlap(one, other)).toBe(expected);
  expect(overlap(other, one)).toBe(expected);
});

test("globs that are made to take long are answered at once", () => {
  const start = performance.now();
  overlap("*a".repeat(2_000), `${"*a".repeat(1_999)}*b`);
  overlap("**/a/".repeat(800), `${"**/a/".repeat(799)}b`);
  expect(performance.now() - start).toBeLessThan(2_000);
});

test("a path is no glob, and the brackets of a glob may be those of a name", () => {
  for (const [glob, path, isTaken] of [
    ["lib/a.ts", "lib/[q].ts", false],
    ["lib/[a-z].ts", "lib/a.ts", true],
    ["lib/[q].ts", "lib/[q].ts", true],
    ["app/[id]/*.ts", "app/[id]/page.ts", true],
    ["app/b", "app/{a,b}", false],
    ["app", "app/{a,b}", true],
  ] as const)
    expect(takesPath(glob, path), `${glob} ${path}`).toBe(isTaken);
});
