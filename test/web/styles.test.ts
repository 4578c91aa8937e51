import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { packagePath } from "../../src/lib/package-root.ts";

const FOLDER = packagePath("adapters/page/page");

/** Per property, the values that it may have; `step` stands for any `var(--space-…)`. */
const SCALES: ReadonlyArray<readonly [property: RegExp, allowed: RegExp]> = [
  [/^font-size$/, /^var\(--text-\w+\)$/],
  [/^font$/, /^(inherit|var\(--text-\w+\) \/ .+)$/],
  [/^font-weight$/, /^(normal|var\(--weight-\w+\))$/],
  [/^border(-\w+)*-radius$/, /^(0|50%|var\(--radius(-\w+)?\)| )+$/],
  [/^((row-|column-)?gap|(padding|margin)(-\w+)*)$/, /^(0|auto|step|calc\((-1 \* step|step \+ step)\)| )+$/],
];

test("sizes of text, corners and spaces come from the steps of tokens.css", () => {
  const strangers = filesOfStyles().flatMap((file) =>
    declarationsIn(file).flatMap(([property, value]) => {
      const plain = value.replaceAll(/var\(--space-\w+\)/g, "step");
      const isAllowed = SCALES.every(([named, allowed]) => !named.test(property) || allowed.test(plain));
      return isAllowed ? [] : [`${file}: ${property}: ${value}`];
    }),
  );
  expect(strangers).toEqual([]);
});

test("a style uses only names that tokens.css has", () => {
  const known = new Set(declarationsIn("style/tokens.css").map(([property]) => property));
  const unknown = filesOfStyles().flatMap((file) =>
    [...textOf(file).matchAll(/var\((--[\w-]+)/g)].flatMap(([, name = ""]) =>
      known.has(name) ? [] : [`${file}: ${name}`],
    ),
  );
  expect(unknown).toEqual([]);
});

// All styles are on every view: a name that two files give a look would have both.
test("no two files give the same class a look", () => {
  const files = filesOfStyles();
  expect(files.length).toBeGreaterThan(20);
  const owners = new Map<string, string[]>();
  for (const file of files) {
    for (const name of classesIn(file)) owners.set(name, [...(owners.get(name) ?? []), file]);
  }
  expect([...owners].filter(([, all]) => all.length > 1)).toEqual([]);
});

function filesOfStyles(): string[] {
  return readdirSync(FOLDER, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".css"));
}

function declarationsIn(file: string): Array<readonly [property: string, value: string]> {
  return [...textOf(file).matchAll(/([\w-]+):\s+([^;{}]+);/g)].map(([, property = "", value = ""]) => [
    property,
    value.replaceAll(/\s+/g, " "),
  ]);
}

/** The classes that a file of styles gives a look of its own, wherever they stand. */
function classesIn(file: string): Set<string> {
  const selectors = [...textOf(file).matchAll(/([^{}]+)\{/g)].flatMap(([, list = ""]) => list.split(","));
  return new Set(
    selectors.flatMap((selector) => /^\s*\.([\w-]+)(?:[:[.]\S*)?\s*$/.exec(selector)?.[1] ?? []),
  );
}

function textOf(file: string): string {
  return readFileSync(`${FOLDER}/${file}`, "utf8").replaceAll(/\/\*.*?\*\//gs, "");
}
