import { readdirSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { expect, test } from "vitest";
import { z } from "zod";
import { packagePath } from "../../src/lib/package-root.ts";
import { installed } from "./installed.ts";

/** What a bundler makes of a program that imports one name: its size in characters, and what it still imports. */
async function bundled(name: string, entry: string) {
  const program = `export { ${name} } from ${JSON.stringify(packagePath(`dist/${entry}.js`))};`;
  const bundle = await rolldown({
    input: "program",
    platform: "node",
    external: ["better-sqlite3"],
    plugins: [
      {
        name: "program",
        resolveId: (id) => (id === "program" ? id : undefined),
        load: (id) => (id === "program" ? program : undefined),
      },
    ],
  });
  const { output } = await bundle.generate({ codeSplitting: false });
  const [{ code, imports }] = output;
  await bundle.close();
  return {
    size: code.length,
    imports: imports.filter((id) => !isBuiltin(id)),
    hasRxjs: /Observable/.test(code),
  };
}

test("a program that defines own events bundles neither the database nor rxjs, nor any of the rest", async () => {
  const { size, ...rest } = await bundled("defineEvent", "projections");
  expect(rest).toEqual({ imports: [], hasRxjs: false });
  expect(size).toBeLessThan(10_000);
  expect((await bundled("openProject", "index")).imports).toEqual(["better-sqlite3"]);
});

/** Also where minified: no blanks, and several on a line. */
const IMPORT = /(?:^|;)import\s*(?:[\w*{}\s,$]+?from\s*)?"([^".][^"]*)"/gm;

test("the package depends on what its types and its library import, and on nothing else", () => {
  const dist = join(installed().folder, "node_modules/signalbox/dist");
  const files = readdirSync(dist).filter((file) => /\.(js|d\.ts)$/.test(file));
  const imported = files
    .flatMap((file) => [...readFileSync(join(dist, file), "utf8").matchAll(IMPORT)])
    .map(([, id = ""]) => id)
    .filter((id) => !isBuiltin(id));
  const { dependencies, peerDependencies } = manifest.parse(
    JSON.parse(readFileSync(packagePath("package.json"), "utf8")),
  );
  expect([...new Set(imported)].sort()).toEqual(Object.keys({ ...dependencies, ...peerDependencies }).sort());
});

const packages = z.record(z.string(), z.string());
const manifest = z.object({ dependencies: packages, peerDependencies: packages });
