import { copyFileSync, cpSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { prints, signalbox, signalboxJson } from "../support/cli.ts";
import { freshFolder, freshProject } from "../support/project.ts";

/* Catches: a log from elsewhere from which something runs before a human has seen what, or that cannot be confirmed. */

/** A project's log as a clone brings it: nobody here knows it. */
async function givenClone() {
  const { project, folder: from } = await freshProject();
  const mark = join(freshFolder(), "ran");
  const task = ["task", "add", "Export", "--verify", `touch ${mark}`];
  expect(await signalbox(task, { cwd: from })).toMatchObject({ exitCode: 0 });
  await project.close();
  const cwd = freshFolder();
  mkdirSync(join(cwd, ".ralph"));
  cpSync(join(from, ".ralph/db"), join(cwd, ".ralph/db"), { recursive: true });
  return {
    cwd,
    mark,
    run: (...args: string[]) => signalbox(args, { cwd }),
    trust: (...args: string[]) => signalboxJson(["log", "trust", ...args], { cwd }),
  };
}

test("nothing runs from the log of a clone, and all is read, until a human has confirmed what would run", async () => {
  const { run, cwd, mark } = await givenClone();
  for (const args of [
    ["gate", "run", "1"],
    ["task", "add", "Other"],
    ["run", "--once"],
  ]) {
    const ran = await run(...args);
    expect(ran.exitCode, args.join(" ")).not.toBe(0);
    expect(ran.stderr).toContain("Nobody here has confirmed this log");
    expect(ran.stderr).toContain("`signalbox log trust`");
  }
  expect(existsSync(mark)).toBe(false);
  for (const args of [["status"], ["task", "list"], ["log", "list"], ["verify"]])
    expect(await run(...args), args.join(" ")).toMatchObject({ exitCode: 0 });
  expect(await signalboxJson(["status"], { cwd })).toMatchObject({ untrusted_log: "unknown" });

  const asked = await run("log", "trust");
  expect(asked).toMatchObject({
    exitCode: 1,
    stdout: expect.stringMatching(/gate 1 .*by human at #\d+: touch /),
  });
  expect(asked.stderr).toContain("--yes");
  expect(await run("gate", "run", "1")).not.toMatchObject({ exitCode: 0 });

  expect(await run("log", "trust", "--yes")).toMatchObject(prints("This log is confirmed."));
  expect(await run("gate", "run", "1")).toMatchObject({ exitCode: 0 });
  expect(existsSync(mark)).toBe(true);
  expect(await run("log", "trust")).toMatchObject({ stdout: expect.stringContaining("known already") });
});

test("in CI a log is confirmed by the root of its tree, and no other one", async () => {
  const { run, trust } = await givenClone();
  const wrong = await run("log", "trust", "--digest", "0".repeat(64));
  expect(wrong.exitCode).toBe(1);
  const [, root = ""] = /has the root ([0-9a-f]{64})/.exec(wrong.stderr) ?? [];
  expect(await run("gate", "run", "1")).not.toMatchObject({ exitCode: 0 });
  expect(await trust("--digest", root.toUpperCase())).toMatchObject({
    standing: "unknown",
    root,
    known: null,
  });
  expect(await run("gate", "run", "1")).toMatchObject({ exitCode: 0 });
});

test("of a log that was put back the difference is shown", async () => {
  const { run, trust, cwd } = await givenClone();
  await trust("--yes");
  const [log, copy] = [join(cwd, ".ralph/db/events.db"), join(freshFolder(), "copy")];
  copyFileSync(log, copy);
  await run("task", "add", "Other");
  const { events } = (await trust()) as { events: number };
  copyFileSync(copy, log);
  const verified = await run("verify");
  expect(verified.exitCode).not.toBe(0);
  const asked = await run("log", "trust");
  expect(asked.stdout).toContain("This log lacks events that it had before");
  expect(asked.stdout).toMatch(new RegExp(`Gone: #\\d+ to #${events}\\.`));
  expect(await trust("--yes")).toMatchObject({ standing: "truncated", known: { events } });
  expect(await run("task", "add", "Again")).toMatchObject({ exitCode: 0 });
});

test("an agent confirms no log", async () => {
  const { cwd } = await givenClone();
  const asAgent = await signalbox(["log", "trust", "--yes"], { cwd, env: { RALPH_SESSION_ID: "s-1" } });
  expect(asAgent.exitCode).toBe(1);
  expect(await signalboxJson(["status"], { cwd })).toMatchObject({ untrusted_log: "unknown" });
});
