import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { signalbox, signalboxJson } from "../support/cli.ts";
import { freshProject } from "../support/project.ts";

/* Catches: files that only signalbox writes and that git tracks, without anybody saying so. */

test("status and doctor say what git tracks in .ralph/, and the command that mends it", async () => {
  const { folder: cwd } = await freshProject();
  const git = (...args: string[]) => execFileSync("git", args, { cwd, stdio: "ignore" });
  git("init");
  git("add", "--force", ".ralph/db/ralph.db", ".ralph/.gitignore");
  const mend = "git rm --cached -- ':/.ralph/db/ralph.db'";
  expect(await signalboxJson(["status"], { cwd })).toMatchObject({
    tracked: [".ralph/db/ralph.db"],
    untrusted_log: null,
  });
  const told = await signalbox(["status"], { cwd });
  expect(told.stdout).toContain("git tracks .ralph/db/ralph.db, which only signalbox writes");
  expect(told.stdout).toContain(mend);
  const doctor = await signalbox(["doctor"], { cwd });
  expect(doctor.stdout).toContain("git tracks .ralph/db/ralph.db");
  expect(doctor.stdout).toContain(mend);
  execFileSync("sh", ["-c", mend], { cwd, stdio: "ignore" });
  expect(await signalboxJson(["status"], { cwd })).toMatchObject({ tracked: [] });
});
