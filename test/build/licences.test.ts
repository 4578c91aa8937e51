import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "rolldown";
import { beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { licencesOf } from "../../scripts/licences.mjs";
import { packagePath } from "../../src/lib/package-root.ts";
import { freshFolder } from "../support/project.ts";

const manifest = z.object({
  version: z.string(),
  devDependencies: z.record(z.string(), z.string()).default({}),
});
const manifestIn = (folder: string) =>
  manifest.parse(JSON.parse(readFileSync(packagePath(join(folder, "package.json")), "utf8")));

/** The packages that a source imports by name, and not only types of. */
function importedBy(source: string): string[] {
  const imports = source.matchAll(
    /^(?:import|export) (?!type )[^;]*? from "([^".][^"]*)";|\bimport\("([^".][^"]*)"\)|^import "([^".][^"]*)";/gm,
  );
  return [...imports].map(([, one, two, three]) =>
    (one ?? two ?? three ?? "")
      .split("/")
      .slice(0, (one ?? two ?? three)?.startsWith("@") ? 2 : 1)
      .join("/"),
  );
}

test("every package that the sources import and the build bundles is listed with its version and licence", () => {
  const listed = readFileSync(packagePath("THIRD-PARTY-LICENSES"), "utf8");
  const sources = ["src", "adapters"].flatMap((folder) =>
    readdirSync(packagePath(folder), { recursive: true, encoding: "utf8" })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => readFileSync(packagePath(join(folder, file)), "utf8")),
  );
  const bundled = new Set(sources.flatMap(importedBy).filter((name) => !name.startsWith("node:")));
  for (const installed of ["better-sqlite3", "pg"]) bundled.delete(installed);
  expect(bundled.size).toBeGreaterThan(15);
  for (const name of bundled) {
    const folder = join("node_modules", name);
    expect(listed, name).toContain(`\n${name}@${manifestIn(folder).version} (`);
    const text = packagePath(join(folder, "LICENSE"));
    if (existsSync(text)) expect(listed, name).toContain(readFileSync(text, "utf8").trim());
  }
  // What those need in turn, and what the bundler itself adds.
  for (const name of ["ajv", "fast-uri", "@tanstack/query-core", "regexparam", "rolldown"]) {
    expect(listed).toMatch(new RegExp(`^${name}@\\d`, "m"));
  }
  for (const name of ["better-sqlite3", "pg", "vitest", "typescript"])
    expect(listed).not.toContain(`\n${name}@`);
});

let folder: string;
beforeEach(() => {
  folder = freshFolder();
});

function install(name: string, files: Readonly<Record<string, string>>, license = "MIT"): void {
  const path = join(folder, "node_modules", name);
  mkdirSync(path, { recursive: true });
  const all = {
    "package.json": JSON.stringify({ name, version: "1.2.3", license, sideEffects: false }),
    ...files,
  };
  for (const [file, content] of Object.entries(all)) writeFileSync(join(path, file), content);
}

async function bundled(source: string) {
  const input = join(folder, "main.js");
  writeFileSync(input, source);
  const { output } = await build({ input, write: false });
  return output.filter((part) => part.type === "chunk");
}

test("bundled packages are listed once, tree-shaken imports are not", async () => {
  install("used", {
    "index.js": "export const used = () => 1;",
    "LICENCE.md": "Text of used",
    NOTICE: "Notice of used",
  });
  install("unused", { "index.js": "export const unused = () => 2;", LICENSE: "Text of unused" });
  install("free", { "index.js": "export const free = () => 3;" }, "Unlicense");
  const chunks = await bundled(
    'import { used } from "used"; import { unused } from "unused"; import { free } from "free"; console.log(used(), free());',
  );
  const listed = licencesOf([...chunks, ...chunks]);
  expect(listed.match(/^\S+@1\.2\.3 .*$/gm)).toEqual(["free@1.2.3 (Unlicense)", "used@1.2.3 (MIT)"]);
  expect(listed).toContain("used@1.2.3 (MIT)\n\nText of used\n\nNotice of used\n");
});

test("the build fails where a package that is bundled has no licence text", async () => {
  install("bare", { "index.js": "export const bare = () => 1;" });
  const chunks = await bundled('import { bare } from "bare"; console.log(bare());');
  expect(() => licencesOf(chunks)).toThrow(/^bare@1\.2\.3 \(MIT\) is bundled, but .* has no licence text\.$/);
});
