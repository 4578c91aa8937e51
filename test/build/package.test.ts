import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";
import { packagePath } from "../../src/lib/package-root.ts";

const packages = z.record(z.string(), z.object({ hasInstallScript: z.boolean().optional() }));
const lock = z.object({ packages });
const manifest = z.object({ allowScripts: z.record(z.string(), z.boolean()) });
const read = (name: string): unknown => JSON.parse(readFileSync(packagePath(name), "utf8"));

// npm 12 skips an install script that is not allowed, with a warning: better-sqlite3 has no native code then.
test("only the listed dependencies may run install scripts", () => {
  const scripted = Object.entries(lock.parse(read("package-lock.json")).packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => path.replace(/^.*node_modules\//, ""));
  expect(scripted).toContain("better-sqlite3");
  expect(manifest.parse(read("package.json")).allowScripts).toEqual(
    Object.fromEntries(scripted.map((name) => [name, true])),
  );
});
