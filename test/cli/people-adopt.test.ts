import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hashOf } from "../../src/config/token-files.ts";
import { holders } from "../../src/outside/people/tokens.ts";
import { prints, signalbox } from "../support/cli.ts";
import { freshProject, givenConfig } from "../support/project.ts";

/* Catches: a right that git brought and that counts, or one of an earlier version that nobody can take over. */

test("rights of an earlier version count once a human has seen whom they let in", async () => {
  const { folder, db } = await freshProject();
  givenConfig(folder, { people: { olga: { role: "own" } } });
  const token = `sbp_${"A".repeat(43)}`;
  const file = join(folder, ".ralph/people", `${hashOf(token)}.json`);
  mkdirSync(join(folder, ".ralph/people"));
  writeFileSync(file, JSON.stringify({ person: "olga", by: "token", made: "2026-01-01T00:00:00.000Z" }));
  const elsewhere = join(folder, "elsewhere");
  writeFileSync(elsewhere, "{}");
  const link = join(folder, ".ralph/people", `${"0".repeat(64)}.json`);
  symlinkSync(elsewhere, link);
  const adopt = (...args: string[]) => signalbox(["people", "adopt", ...args], { cwd: folder });
  expect(holders(db)(token)).toBeUndefined();

  const asked = await adopt();
  expect(asked).toMatchObject({ exitCode: 1, stdout: expect.stringContaining("person olga, by token") });
  expect(asked.stderr).toContain("--yes");
  expect(holders(db)(token)).toBeUndefined();

  expect(await adopt("--yes")).toMatchObject(prints("Took over 1 file."));
  expect(holders(db)(token)).toMatchObject({ name: "olga" });
  expect([file, link].map((path) => existsSync(path))).toEqual([false, true]);
  expect(await adopt("--yes")).toMatchObject({ stdout: "There is nothing to take over.\n" });
});
