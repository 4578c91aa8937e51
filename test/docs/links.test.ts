import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packagePath } from "../../src/lib/package-root.ts";
import { linksOf, proseOf } from "./links.ts";

test("every link of every page leads to an existing file and heading", () => {
  const pages = [
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "test/promises.md",
    "test/survival/README.md",
    "examples/fleet/README.md",
    "examples/overnight/README.md",
    ...pagesBelow("docs"),
  ];
  expect(pages.flatMap(brokenLinks)).toEqual([]);
});

test("every file of src and adapters that the page on architecture names is there", () => {
  const files = ["src", "adapters"].flatMap((folder) =>
    readdirSync(packagePath(folder), { recursive: true, encoding: "utf8" }),
  );
  const page = readFileSync(packagePath("docs/architecture.md"), "utf8");
  const named = [...page.matchAll(/`(?:src\/)?([\w./-]+\.tsx?|(?:src|adapters)\/[\w/-]+\/)`/g)].map(
    ([, name = ""]) => name,
  );
  expect(named.length).toBeGreaterThan(40);
  const isThere = (name: string) =>
    /^(src|adapters)\//.test(name) ? exists(name) : files.some((file) => `/${file}`.endsWith(`/${name}`));
  expect(named.filter((name) => !isThere(name))).toEqual([]);
});

function pagesBelow(folder: string): string[] {
  return readdirSync(packagePath(folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return pagesBelow(path);
    return path.endsWith(".md") ? [path] : [];
  });
}

function brokenLinks(page: string): string[] {
  return linksOf(page).flatMap(({ link, target, heading }) => {
    const isThere = heading === "" ? exists(target) : anchorsOf(target).includes(heading);
    return isThere ? [] : [`${page}: ${link}`];
  });
}

function exists(path: string): boolean {
  try {
    readFileSync(packagePath(path));
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EISDIR";
  }
}

/** As GitHub makes them of headings, and those that a page names itself. */
function anchorsOf(page: string): string[] {
  if (!exists(page)) return [];
  const text = proseOf(page);
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, "")
      .replaceAll(" ", "-"),
  );
  return [...headings, ...[...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = ""]) => id)];
}
