import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createTask } from "../../src/decisions/tasks.ts";
import { initProject, openProject } from "../../src/project.ts";
import { signalbox } from "../support/cli.ts";
import { freshFolder } from "../support/project.ts";

async function projectOf(tasks: number): Promise<string> {
  const cwd = freshFolder();
  await initProject(cwd);
  const project = await openProject(cwd);
  for (let nth = 1; nth <= tasks; nth++) await project.decide(createTask({ title: `Task ${nth}` }));
  await project.close();
  return cwd;
}

test("a history is made up to the head, goes on where it was, and says how far it is", async () => {
  const cwd = await projectOf(3);
  const shown = async (...args: string[]) => {
    const { stdout, exitCode } = await signalbox(["history", ...args, "--json"], { cwd });
    expect(exitCode).toBe(0);
    return JSON.parse(stdout);
  };
  expect(await shown()).toEqual({ position: 0, head: 5, bytes: 0 });
  expect((await signalbox(["history"], { cwd })).stdout).toContain("`signalbox history make` makes it");
  expect(existsSync(join(cwd, ".ralph", "history"))).toBe(false);
  expect(await shown("make")).toEqual({ position: 5, head: 5, bytes: expect.any(Number) });
  const added = await signalbox(["task", "add", "Task 4"], { cwd });
  expect(added.exitCode).toBe(0);
  expect(await shown()).toMatchObject({ position: 5, head: 6 });
  const [once, twice] = await Promise.all([shown("make"), shown("make")]);
  expect([once, twice]).toEqual([
    expect.objectContaining({ position: 6, head: 6 }),
    expect.objectContaining({ position: 6, head: 6 }),
  ]);
  const line = await signalbox(["history", "show"], { cwd });
  expect(line.stdout).toMatch(/^made up to event 6 of 6, \d+\.\d MB\n$/);
  expect(await signalbox(["history", "maek"], { cwd })).toMatchObject({ exitCode: 2 });
});

test("where it cannot be kept, none is made", async () => {
  const cwd = await projectOf(1);
  writeFileSync(join(cwd, ".ralph", "history"), "a file where the folder should be");
  const made = await signalbox(["history", "make"], { cwd });
  expect(made).toMatchObject({ exitCode: 1, stdout: "" });
  expect(made.stderr).toContain(".ralph/history cannot be written");
});
