import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { spawnSync } from "node:child_process";
import { afterAll, beforeAll, expect, test } from "vitest";
import { packagePath } from "../../src/package-root.ts";

const readme = readFileSync(packagePath("README.md"), "utf8");
/** Inside the package, so that `signalbox` means the package itself. */
const folder = packagePath("dist/readme-example");

beforeAll(() => mkdirSync(folder, { recursive: true }));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("the README opens with the two commands", () => {
  const commands = [...readme.matchAll(/^npm ci && npm .*$/gm)].map(([line]) => line);
  expect(commands.slice(0, 2)).toEqual(["npm ci && npm run demo", "npm ci && npm test"]);
  expect(readme.split("\n").findIndex((line) => line.startsWith("npm ci"))).toBeLessThan(20);
});

test("the README's TypeScript example compiles and runs against the built package", () => {
  const [, example = ""] = /```ts\n([\s\S]*?)```/.exec(readme) ?? [];
  expect(example).toContain('from "signalbox"');
  writeFileSync(join(folder, "example.ts"), example);
  const compiled = spawnSync(
    process.execPath,
    [
      packagePath("node_modules/typescript/bin/tsc"),
      ...["--outDir", folder, "--module", "nodenext", "--target", "es2022", "--strict", "--skipLibCheck"],
      ...["--types", "node", "--ignoreConfig", join(folder, "example.ts")],
    ],
    { cwd: packagePath("."), encoding: "utf8" },
  );
  expect(compiled.stdout).toBe("");
  const ran = spawnSync(process.execPath, [join(folder, "example.js")], { encoding: "utf8" });
  expect(ran.stderr).toBe("");
  expect(ran.stdout).toContain("done");
});

test("links in the docs lead to files that are there", () => {
  const pages = ["README.md", "CONTRIBUTING.md", "docs/architecture.md", "docs/promises.md"];
  for (const page of pages) {
    const text = readFileSync(packagePath(page), "utf8");
    for (const [, target = ""] of text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)) {
      const path = packagePath(join(page, "..", target));
      expect(() => readFileSync(path), `${page} → ${target}`).not.toThrow(/ENOENT/);
    }
  }
});
