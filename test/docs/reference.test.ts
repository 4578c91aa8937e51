import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { packagePath } from "../../src/lib/package-root.ts";

const read = (path: string) => readFileSync(packagePath(path), "utf8");
const manifest = z.object({ name: z.string(), exports: z.record(z.string(), z.unknown()) });
const typedoc = z.object({ entryPoints: z.array(z.string()) });

test("the reference of the docs' site has a page for each entry of the package, under the name that programs import", () => {
  const { name, exports } = manifest.parse(JSON.parse(read("package.json")));
  const entries = Object.keys(exports).filter((entry) => entry !== "./package.json");
  const { entryPoints } = typedoc.parse(JSON.parse(read("site/typedoc.json")));
  const modules = entryPoints.map((path) => /@module (\S+)/.exec(read(join("site", path)))?.[1]);
  expect(modules.sort()).toEqual(entries.map((entry) => join(name, entry)).sort());
  const config = read("site/.vitepress/config.ts");
  for (const module of modules) expect(config).toContain(`"${module}"`);
});
