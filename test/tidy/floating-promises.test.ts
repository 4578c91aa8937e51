// @module-tag slice
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packagePath } from "../../src/lib/package-root.ts";
import { freshFolder } from "../support/project.ts";

/* Catches: a promise whose failure nobody hears of, because `npm run check` no longer looks for it. */

const biome = packagePath("node_modules/@biomejs/biome/bin/biome");

/** What `biome lint` says of a file, by the project's own rules. */
function lint(text: string): string {
  const folder = freshFolder();
  const config = JSON.parse(readFileSync(packagePath("biome.json"), "utf8"));
  const { linter } = config;
  writeFileSync(join(folder, "biome.json"), JSON.stringify({ linter }));
  writeFileSync(join(folder, "port.ts"), "export interface Port {\n  close(): Promise<void>;\n}\n");
  writeFileSync(join(folder, "leave.ts"), text);
  const { stdout, stderr } = spawnSync(process.execPath, [biome, "lint", "--reporter=github", "."], {
    cwd: folder,
    encoding: "utf8",
  });
  return stdout + stderr;
}

test.each([
  ["a call that nobody waits for", "port.close();", "noFloatingPromises"],
  ["a promise taken for its answer", 'if (port.close()) throw new Error("open");', "noMisusedPromises"],
])("npm run check finds %s", (_what, line, rule) => {
  const text = (statement: string) =>
    `import type { Port } from "./port.ts";\n\nexport async function leave(port: Port): Promise<void> {\n  ${statement}\n}\n`;
  expect(lint(text(line))).toContain(rule);
  expect(lint(text("await port.close();"))).not.toContain(rule);
});
