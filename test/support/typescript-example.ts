import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { packagePath } from "../../src/lib/package-root.ts";

/** Compiles a program of a page as a user would, with the built package, and runs it: what it prints, or what was wrong. */
export function printedByExample(program: string): { compiled: string; stdout: string; stderr: string } {
  // Inside the package, so that `signalbox` means the package itself.
  const folder = mkdtempSync(packagePath("dist/example-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "example.ts"), program);
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["example.ts"] }));
  const tsc = packagePath("node_modules/typescript/bin/tsc");
  const compiled = spawnSync(process.execPath, [tsc, "-p", folder], { encoding: "utf8" });
  const ran = spawnSync(process.execPath, [join(folder, "example.js")], { encoding: "utf8" });
  return { compiled: compiled.stdout, stdout: ran.stdout, stderr: ran.stderr };
}

const compilerOptions = {
  target: "es2022",
  module: "nodenext",
  strict: true,
  skipLibCheck: true,
  types: ["node"],
  rootDir: ".",
  noEmitOnError: true,
};
