import { execFileSync } from "node:child_process";
import { chownSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { stateVariables } from "../../src/config/state-folder.ts";
import { freshFolder, freshProject } from "../support/project.ts";
import { packageCopy } from "./package-copy.ts";

/* Catches: compiled code that is kept and never used, code of somebody else that is run, a removed package that comes back. */

async function given() {
  const copy = packageCopy({ isBuilt: true });
  const dist = join(copy.folder, "dist");
  // Older builds may lie beside it.
  const program = join(dist, JSON.parse(readFileSync(join(dist, "build.json"), "utf8")).folder);
  const kept = join(program, `v8-${process.versions.v8}-${process.arch}`);
  rmSync(kept, { recursive: true, force: true });
  const { db } = await freshProject();
  const home = freshFolder();
  const env = { PATH: process.env.PATH, HOME: home, ...stateVariables(process.env) };
  const start = (file = copy.program) =>
    execFileSync(process.execPath, [file, "next", "--db", db], { env, encoding: "utf8" });
  return { ...copy, program, kept, home, start };
}

/** Node would rewrite a file whose code it refuses, and one that lacks a module. */
function expectUsed(file: string, start: () => unknown): void {
  start();
  const { ino } = statSync(file);
  start();
  expect(statSync(file).ino, "what is kept is used").toBe(ino);
}

test("what a command compiled is kept in the package, and used by its next start", async () => {
  const { kept, start } = await given();
  expect(start()).toBe("Nothing is ready.\n");
  expectUsed(join(kept, "next.program.cache"), start);
});

test("where the package cannot be written to, it is kept in the user's folder of caches", async () => {
  const { program, kept, home, start } = await given();
  writeFileSync(kept, "");
  start();
  expectUsed(
    kept.replace(program, join(home, ".cache/signalbox", program.split("/").at(-1) ?? "")) +
      "/next.program.cache",
    start,
  );
});

test.runIf(process.getuid?.() === 0)("code that another user wrote is not run", async () => {
  const { kept, start } = await given();
  start();
  const file = join(kept, "next.program.cache");
  writeFileSync(file, "forged");
  chownSync(file, 65_534, 65_534);
  expect(start()).toBe("Nothing is ready.\n");
  expect(statSync(file).uid, "it is replaced").toBe(0);
});

test("a package that is removed while it runs does not come back", async () => {
  const { folder, program, start } = await given();
  const script = join(freshFolder(), "start.cjs");
  writeFileSync(
    script,
    `process.on("beforeExit", () => require("node:fs").rmSync(${JSON.stringify(folder)}, { recursive: true, force: true }));
    require(${JSON.stringify(join(program, "start.cjs"))}).main(process.argv);`,
  );
  start(script);
  expect(existsSync(folder)).toBe(false);
});
