import { join } from "node:path";
import { expect, test } from "vitest";
import { signalbox } from "../support/cli.ts";
import { freshFolder } from "../support/project.ts";
import { filesWithSecret, SECRET } from "../support/secrets.ts";

/** Catches: a reading command that stops at a redacted event, or that finds its words in the past: the history, an earlier point. */
test("every reading command works with a redacted event, and never shows its text", async () => {
  const cwd = freshFolder();
  const run = (...args: string[]) => signalbox(args, { cwd });
  await run("init");
  await run("task", "add", "Export", "--description", `Use ${SECRET} for it`);
  await run("session", "start", "1", "--session", "s-1");
  await run("signal", "ask", "--session", "s-1", "--question", `Is ${SECRET} right?`, "--blocking");
  await run("session", "end", "s-1", "--exit", "exited");
  expect((await run("history", "make")).exitCode).toBe(0);
  expect(filesWithSecret(join(cwd, ".ralph", "history"))).not.toEqual([]);
  for (const position of ["3", "5"])
    expect((await run("redact", position, "--reason", "a live key")).exitCode).toBe(0);
  await run("history", "make");
  expect(filesWithSecret(cwd)).toEqual([]);

  for (const args of [
    ["log", "--json"],
    ["log", "--task", "1"],
    ["why", "1"],
    ["why", "1", "--at", "6"],
    ["diff", "2", "8"],
    ["diff", "4", "6", "--json"],
    ["what-if", "--stuck-limit", "1"],
    ["task", "show", "1", "--at", "5"],
    ["task", "show", "1"],
    ["inbox", "--at", "5"],
    ["verify"],
    ["prove", "5"],
    ["export"],
  ]) {
    const { exitCode, stdout, stderr } = await run(...args);
    expect({ args, exitCode, stderr }).toEqual({ args, exitCode: 0, stderr: "" });
    expect(stdout).not.toContain(SECRET);
  }
  expect((await run("task", "show", "1", "--at", "5")).stdout).toContain("[redacted]");
  expect((await run("diff", "4", "5", "--json")).stdout).toContain("[redacted]");
});
