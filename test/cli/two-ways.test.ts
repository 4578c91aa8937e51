import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { signalbox, signalboxApart, signalboxJson } from "../support/cli.ts";
import { freshFolder } from "../support/project.ts";

/*
 * Most tests of commands call the program in their own process (test/support/in-process.ts). Catches: what it prints there, or exits with,
 * is not what a user's shell gets.
 */
test.each([
  { args: ["status"] },
  { args: ["task", "list", "--json"] },
  { args: ["task", "show", "9"] },
  { args: ["task", "show", "nine"] },
  { args: ["no-such-command"] },
  { args: ["--help"] },
  { args: ["log", "--limit", "1", "--json"] },
  { args: ["log"], variables: { FORCE_COLOR: "1" } },
  { args: ["config", "check"] },
  { args: ["import", "-", "other"], input: "no event\n" },
  { args: ["verify", "none.json"] },
  { args: ["gate", "parse", "1"], input: "ok 1 - it works\n1..1\n" },
  { args: ["task", "list"], below: "src" },
  { args: ["task", "list"], below: "src", variables: { RALPH_SESSION_ID: "s-1" } },
])("$args in the tests' process is as in its own", async ({ args, input = "", below = ".", variables }) => {
  const folder = freshFolder();
  await signalbox(["init"], { cwd: folder });
  await signalboxJson(["task", "add", "One"], { cwd: folder });
  const cwd = join(folder, below);
  mkdirSync(cwd, { recursive: true });
  const circumstances = { cwd, input, env: { ...variables } };
  const apart = await signalboxApart(args, circumstances);
  expect(await signalbox(args, circumstances)).toEqual(apart);
});

test("what is called beside another call has a process of its own, and both are answered", async () => {
  const folder = freshFolder();
  await signalbox(["init"], { cwd: folder });
  const titles = ["One", "Two", "Three"];
  const added = await Promise.all(titles.map((title) => signalbox(["task", "add", title], { cwd: folder })));
  expect(added.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
  expect(await signalboxJson(["task", "list"], { cwd: folder })).toMatchObject({ tasks: [{}, {}, {}] });
});
