import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { builtPath } from "../../src/lib/package-root.ts";

const assets = readdirSync(builtPath("web/assets"));
const read = (name: string) => readFileSync(builtPath(`web/assets/${name}`));
const packed = (names: readonly string[]) =>
  names.reduce((bytes, name) => bytes + gzipSync(read(name), { level: 9 }).length, 0);

/** What index.html names, and what those files import at once. */
function firstLoad(): string[] {
  const html = readFileSync(builtPath("web/index.html"), "utf8");
  const needed = new Set([...html.matchAll(/assets\/([\w.-]+)/g)].map((match) => match[1] ?? ""));
  for (const name of needed) {
    const imports = read(name)
      .toString()
      .matchAll(/(?:^|[;}\n])import(?:[^("';]*from)?["']\.\/([\w.-]+)["']/g);
    for (const match of imports) needed.add(match[1] ?? "");
  }
  return [...needed];
}

test("the page takes 70 kB at first load and 135 kB in all, compressed", () => {
  expect(firstLoad().length).toBeGreaterThan(1);
  expect(packed(firstLoad())).toBeLessThan(70_000);
  expect(packed(assets)).toBeLessThan(135_000);
});

test("the page evaluates no text as code, and contains none of the server's schemas", () => {
  for (const name of assets) expect(read(name).toString()).not.toMatch(/new Function|\beval\(|ZodType/);
});
