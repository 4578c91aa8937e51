import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";
import { inputsDigest } from "../../scripts/inputs-digest.mjs";
import { packagePath } from "../../src/lib/package-root.ts";
import { checkBuild } from "../support/built.ts";
import { needTags } from "../support/needs.ts";
import { freshFolder } from "../support/project.ts";
import { suitesIn } from "../support/suites.ts";

function given(files: Record<string, string>): string {
  const folder = freshFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

test("a test file that starts a program, a browser or a worker, directly or through a helper, is not pure", () => {
  const folder = given({
    "pure.test.ts": 'import { join } from "node:path";\nimport { help } from "./support/help.ts";',
    "support/help.ts": "export const help = 1;",
    "own.test.ts": 'import { spawn } from "node:child_process";',
    "by-helper.test.ts": 'import { run } from "./support/run.ts";',
    "support/run.ts": 'import { again } from "./again.ts";',
    "support/again.ts": 'import { Worker } from "node:worker_threads";\nimport "./run.ts";',
    "web/page.test.ts": 'import { chromium } from "playwright-core";',
    "web/pure.test.ts": 'import { join } from "node:path";',
    "built.test.ts": 'const program = packagePath("bin/signalbox.js");',
    "mocked.test.ts": 'vi.mock("./all.ts");',
    "loop/git.test.ts": 'import { execFileSync } from "node:child_process";',
    "postgres/log.test.ts": 'import { spawn } from "node:child_process";',
    "small.test.ts": '// @module-tag slice\nimport { spawn } from "node:child_process";',
  });
  const { pure, slice, page, system, apart, postgres } = suitesIn(folder);
  const names = (paths: readonly string[]) => paths.map((path) => relative(folder, path));
  expect(names(pure)).toEqual(["pure.test.ts", "web/pure.test.ts"]);
  expect(names(slice)).toEqual(["small.test.ts"]);
  expect(names(page)).toEqual(["web/page.test.ts"]);
  expect(names(system)).toEqual(["built.test.ts", "by-helper.test.ts", "own.test.ts"]);
  expect(names(apart)).toEqual(["loop/git.test.ts", "mocked.test.ts"]);
  expect(names(postgres)).toEqual(["postgres/log.test.ts"]);
});

test("what needs a PostgreSQL server is in the project postgres, and skipped where there is none", () => {
  const { pure, slice, page, system, apart, postgres } = suitesIn(packagePath("test"));
  const text = (file: string) => readFileSync(file, "utf8");
  const elsewhere = [...pure, ...slice, ...page, ...system, ...apart].filter((file) =>
    /support\/postgres\/given/.test(text(file)),
  );
  expect(elsewhere).toEqual([]);
  expect(postgres.filter((file) => !/@module-tag postgresql(-standbys)?\b/.test(text(file)))).toEqual([]);
  expect(postgres).toContain(packagePath("test/postgres/cluster.test.ts"));
});

test("what `npm test` runs needs no program that a machine may lack", () => {
  const { pure, slice } = suitesIn(packagePath("test"));
  const optional = needTags().flatMap(({ name }) => (["linux", "root"].includes(name) ? [] : [name]));
  const needs = new RegExp(
    `^// @module-tag (${optional.join("|")})\\b|tags: [^}\\n]*"(${optional.join("|")})"`,
    "m",
  );
  expect([...pure, ...slice].filter((file) => needs.test(readFileSync(file, "utf8")))).toEqual([]);
});

test("tests that start the program refuse a build of other sources, and none", () => {
  const root = given({
    "package.json": "{}",
    "adapters/a.ts": "0;",
    "src/main.ts": "1;",
    "scripts/build.mjs": "2;",
  });
  expect(() => checkBuild(root)).toThrow("Run `npm run build`");
  mkdirSync(join(root, "dist"));
  writeFileSync(join(root, "dist/build.json"), JSON.stringify({ inputs: inputsDigest(root) }));
  checkBuild(root);
  writeFileSync(join(root, "src/main.ts"), "3;");
  expect(() => checkBuild(root)).toThrow("dist/ was not built from the present sources");
});
