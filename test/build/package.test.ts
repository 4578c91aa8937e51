import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";
import { packagePath } from "../../src/lib/package-root.ts";

const packages = z.record(z.string(), z.object({ hasInstallScript: z.boolean().optional() }));
const lock = z.object({ packages });

// npm 12 asks for each install script, and skips one that is not allowed, with a warning.
test("no dependency has an install script", () => {
  const locked = lock.parse(JSON.parse(readFileSync(packagePath("package-lock.json"), "utf8"))).packages;
  const scripted = Object.entries(locked).filter(([, { hasInstallScript }]) => hasInstallScript);
  expect(Object.keys(locked)).toContain("node_modules/better-sqlite3");
  expect(scripted.map(([path]) => path)).toEqual([]);
});
