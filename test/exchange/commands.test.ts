import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createTask } from "../../src/decisions/tasks.ts";
import { packagePath } from "../../src/package-root.ts";
import { openProject } from "../../src/project.ts";
import { everythingIn } from "../events/given.ts";
import { signalbox, signalboxJson } from "../support/cli.ts";
import { freshFolder, freshProject } from "../support/project.ts";
import { fixture, givenDatabase } from "./given.ts";

/*
 * Catches: an exit code that says something else than what happened, a file that others can read, an import that is not
 * gone on with after a kill, or doubles.
 */
async function eventsOf(folder: string) {
  const project = await openProject(folder);
  const events = await everythingIn(project.log);
  await project.close();
  return events;
}

test("an exported project is put back into a new folder, over a pipe or from a file, and exports the same again", async () => {
  const { project, folder } = await freshProject();
  await project.decide(createTask({ title: "Ünï 🤖" }));
  const { stdout } = await signalbox(["export"], { cwd: folder });
  const file = join(freshFolder(), "shop.ndjson");
  expect(await signalbox(["export", "--out", file], { cwd: folder })).toMatchObject({
    exitCode: 0,
    stdout: "",
  });
  expect(readFileSync(file, "utf8")).toBe(stdout);
  expect(statSync(file).mode & 0o077).toBe(0);
  expect(await signalbox(["export", "--out", file], { cwd: folder })).toMatchObject({ exitCode: 1 });

  const piped = join(freshFolder(), "new");
  expect(await signalbox(["import", "-", piped], { input: stdout })).toMatchObject({ exitCode: 0 });
  expect((await signalbox(["export", "--db", piped])).stdout).toBe(stdout);
  expect(existsSync(join(piped, ".ralph/.gitignore"))).toBe(true);

  const { folder: fresh } = await freshProject();
  const busy = await signalbox(["import", file], { cwd: fresh });
  expect(busy).toMatchObject({ exitCode: 3, stderr: expect.stringContaining("[busy]") });
  const begun = freshFolder();
  await signalbox(["init", begun]);
  expect(await signalboxJson(["import", file, begun], { cwd: begun })).toEqual({
    head: 3,
    before: 0,
    restored: 3,
    replaced: 2,
  });
  expect((await signalbox(["export", "--db", begun])).stdout).toBe(stdout);
  const again = await signalbox(["import", file, begun]);
  expect(again).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("Nothing to do") });
});

test("a reader of an export that goes away is no error", async () => {
  const { project, folder } = await freshProject();
  for (let count = 0; count < 40; count++)
    await project.decide(createTask({ title: "Long", description: "x".repeat(50_000) }));
  const child = spawn(process.execPath, [packagePath("bin/signalbox.js"), "export"], { cwd: folder });
  child.stdout.once("data", () => child.stdout.destroy());
  const [code] = await once(child, "close");
  expect(code).toBe(0);
});

test("an import with a row that is refused ends with 1, one of a file that cannot be read records nothing", async () => {
  const { folder, project } = await freshProject();
  const ran = await signalbox(["import", "--from", "prd", fixture("prd.json"), "--json"], { cwd: folder });
  expect(ran.exitCode).toBe(1);
  const rows = ran.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(rows).toContainEqual({
    at: "story 2",
    what: "task",
    outcome: "taken",
    position: 3,
    task: 1,
    notes: [],
  });
  const head = await project.log.head();
  const missing = await signalbox(["import", "--from", "prd", "none.json"], { cwd: folder });
  expect(missing).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("[not_found]") });
  const wrong = await signalbox(["import", fixture("prd.json")], { cwd: folder });
  expect(wrong).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("--from") });
  const linked = join(folder, "link.json");
  symlinkSync(fixture("prd.json"), linked);
  expect(await signalbox(["import", "--from", "prd", linked], { cwd: folder })).toMatchObject({
    exitCode: 1,
  });
  const usage = await signalbox(["import", "--from", "prd", "x", "--status", "Review"], { cwd: folder });
  expect(usage).toMatchObject({ exitCode: 2 });
  expect(await project.log.head()).toBe(head);
});

/** Runs an import until it has printed so many rows, or so many milliseconds, and kills it then. */
async function killed(args: readonly string[], cwd: string, rows: number): Promise<void> {
  const child = spawn(process.execPath, [packagePath("bin/signalbox.js"), ...args], { cwd });
  const closed = once(child, "close");
  let seen = 0;
  for await (const _line of createInterface(child.stdout)) if (++seen >= rows) child.kill("SIGKILL");
  await closed;
}

test("an import that is killed at any row and run again has each row once, as if it had never been ended", async () => {
  const path = givenDatabase("ralph-signals");
  const args = ["import", "--from", "ralph", path, "--json"];
  const { folder: whole } = await freshProject();
  await signalbox(args, { cwd: whole });
  const expected = (await eventsOf(whole)).slice(2).map(({ id, type, payload }) => ({ id, type, payload }));
  const moments = fc.sample(fc.integer({ min: 1, max: 25 }), 4);
  for (const rows of moments) {
    const { folder } = await freshProject();
    await killed(args, folder, rows);
    await signalbox(args, { cwd: folder });
    const events = (await eventsOf(folder)).slice(2).map(({ id, type, payload }) => ({ id, type, payload }));
    expect(events, `killed at row ${rows}`).toEqual(expected);
  }
}, 60_000);

test("the import of a log that is killed at any moment leaves the project as it was, or whole, and goes on when it is run again", async () => {
  const { project, folder } = await freshProject();
  for (let count = 0; count < 300; count++) await project.decide(createTask({ title: `Task ${count}` }));
  const { stdout } = await signalbox(["export"], { cwd: folder });
  const file = join(freshFolder(), "log.ndjson");
  writeFileSync(file, stdout);
  for (const wait_ms of fc.sample(fc.integer({ min: 150, max: 700 }), 5)) {
    const to = join(freshFolder(), "to");
    mkdirSync(to);
    const child = spawn(process.execPath, [packagePath("bin/signalbox.js"), "import", file, to]);
    const timer = setTimeout(() => child.kill("SIGKILL"), wait_ms);
    await once(child, "close");
    clearTimeout(timer);
    const log = join(to, ".ralph/db/events.db");
    if (existsSync(log)) expect((await signalbox(["export", "--db", to])).stdout).toBe(stdout);
    expect(await signalbox(["import", file, to])).toMatchObject({ exitCode: 0 });
    expect((await signalbox(["export", "--db", to])).stdout, `killed after ${wait_ms} ms`).toBe(stdout);
  }
}, 60_000);
