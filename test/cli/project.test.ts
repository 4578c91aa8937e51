import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openProject } from "../../src/api/project.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { fails, signalbox, signalboxJson } from "../support/cli.ts";
import { freshFolder, freshProject } from "../support/project.ts";

/* Catches: a project that is half made by a title that cannot be, words that a second init replaces. */

test("init gives the project its title and description, in the same append", async () => {
  const cwd = freshFolder();
  await signalbox(["init", "--title", "Invoices", "--description", "Bills."], { cwd });
  const project = await openProject(cwd);
  const events = await project.log.read(0, 10);
  await project.close();
  expect(events.map(({ type }) => type)).toEqual([
    "feature.created",
    "discipline.created",
    "project.described",
  ]);
  // The events of one append are a microsecond apart.
  const [first, , last] = events.map(({ recordedAt }) => Number(recordedAt.slice(-7, -1)));
  expect(((last ?? 0) - (first ?? 0) + 1_000_000) % 1_000_000).toBe(2);
  expect(await signalboxJson(["project", "show"], { cwd })).toMatchObject({
    ...{ title: "Invoices", description: "Bills." },
  });
});

test("init with an invalid title creates nothing", async () => {
  const cwd = freshFolder();
  const ran = await signalbox(["init", "--title", " "], { cwd });
  expect(ran).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("`title` is blank") });
  expect(existsSync(join(cwd, ".ralph"))).toBe(false);
});

test("in an existing project, init changes no text and names the command that does", async () => {
  const { project, folder: cwd } = await freshProject();
  const ran = await signalbox(["init", "--title", "Invoices"], { cwd });
  expect(ran).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("signalbox project set") });
  expect(await project.log.head()).toBe(2);
});

test("project show prints the description and progress, project set changes the description", async () => {
  const { project, folder: cwd } = await freshProject();
  expect((await signalbox(["project"], { cwd })).stdout).toMatch(/^no title\n.*\n\n0 of 0 tasks are done\n$/);
  await project.decide(createTask({ title: "One", status: "done" }));
  await project.decide(createTask({ title: "Two" }));
  await project.decide(createTask({ title: "Three", status: "skipped" }));
  expect(await signalboxJson(["project", "set", "--title", "Invoices"], { cwd })).toMatchObject({
    ...{ title: "Invoices", description: "" },
  });
  await signalbox(["project", "set", "--description", "Bills."], { cwd });
  const { created } = await project.queries.project();
  expect(await signalboxJson(["project", "show"], { cwd })).toEqual({
    ...{ title: "Invoices", description: "Bills.", created },
    progress: {
      ...{ total: 3, done: 1, percentage: 50, by_status: { done: 1, pending: 1, skipped: 1 } },
      by_feature: [{ feature: "general", total: 3, done: 1, percentage: 50 }],
    },
  });
  const shown = (await signalbox(["project", "show"], { cwd })).stdout;
  expect(shown).toContain("1 of 3 tasks are done, 50 % of tasks not skipped");
  expect(shown).toMatch(/general +1 +3 +50/);
});

test.each([
  [["project", "set"], 1, "Nothing to change"],
  [["project", "set", "--title", "a\nb"], 2, "more than one line"],
  [["project", "finish"], 2, "unknown command 'finish'. The commands are show, set"],
] as const)("signalbox %j exits with %i and says what was wrong", async (args, exitCode, message) => {
  const { project, folder: cwd } = await freshProject();
  const ran = await signalbox(args, { cwd });
  expect(ran).toMatchObject({ ...fails(exitCode, message), stdout: "" });
  expect(await project.log.head()).toBe(2);
});
