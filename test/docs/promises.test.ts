import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { packagePath } from "../../src/package-root.ts";

test("every promise names tests that are there", () => {
  const sources = readdirSync(packagePath("test"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.includes("node_modules"))
    .map((file) => readFileSync(packagePath(`test/${file}`), "utf8"))
    .join("\n");
  const names = [...readFileSync(packagePath("docs/promises.md"), "utf8").matchAll(/"([^"]+)"/g)].map(
    ([, name = ""]) => name,
  );
  expect(names.length).toBeGreaterThan(50);
  expect(names.filter((name) => !sources.includes(name))).toEqual([]);
});
