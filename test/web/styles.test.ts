import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { packagePath } from "../../src/lib/package-root.ts";

const FOLDER = packagePath("src/web/page");

/** The classes that a file of styles gives a look of its own, wherever they stand. */
function classesIn(name: string): Set<string> {
  const text = readFileSync(`${FOLDER}/${name}`, "utf8").replace(/\/\*.*?\*\//gs, "");
  const selectors = [...text.matchAll(/([^{}]+)\{/g)].flatMap(([, list = ""]) => list.split(","));
  return new Set(
    selectors.flatMap((selector) => /^\s*\.([\w-]+)(?:[:[.]\S*)?\s*$/.exec(selector)?.[1] ?? []),
  );
}

// All styles are on every view: a name that two files give a look would have both.
test("no two files give the same class a look", () => {
  const files = readdirSync(FOLDER, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".css"),
  );
  expect(files.length).toBeGreaterThan(20);
  const owners = new Map<string, string[]>();
  for (const file of files) {
    for (const name of classesIn(file)) owners.set(name, [...(owners.get(name) ?? []), file]);
  }
  expect([...owners].filter(([, all]) => all.length > 1)).toEqual([]);
});
