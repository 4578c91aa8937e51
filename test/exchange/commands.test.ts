import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { initProject, openProject, prepareFolder } from "../../src/api/project.ts";
import { takeFileLock } from "../../src/gates/runner/file-lock.ts";
import { packagePath } from "../../src/lib/package-root.ts";
import { runFolderBeside } from "../../src/lib/project-folder.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { everythingIn } from "../events/given.ts";
import { openElsewhere } from "../events/log-file.ts";
import { fails, prints, signalbox, signalboxApart, signalboxJson } from "../support/cli.ts";
import { anotherFolder, copyProject, freshFolder, freshProject } from "../support/project.ts";
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

  const { folder: fresh } = await freshProject(await anotherFolder());
  const busy = await signalbox(["import", file], { cwd: fresh });
  expect(busy).toMatchObject({ exitCode: 3, stderr: expect.stringContaining("[busy]") });
  const begun = freshFolder();
  await signalbox(["init", begun]);
  expect(await signalboxJson(["import", file, begun], { cwd: begun })).toEqual({
    head: 3,
    before: 0,
    restored: 3,
    replaced: 2,
    redacted: 0,
    unclean: [],
  });
  expect((await signalbox(["export", "--db", begun])).stdout).toBe(stdout);
  const nowhere = join(freshFolder(), "nowhere");
  expect(await signalbox(["import", file, nowhere, "--dry-run"])).toMatchObject({ exitCode: 0 });
  expect(existsSync(nowhere), "a dry run makes no folder").toBe(false);
  const again = await signalbox(["import", file, begun]);
  expect(again).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("Nothing to do") });
});

test.each([
  ["a folder without a project", [], ".ralph", "✓ Created a project in"],
  ["a folder that has only a configuration", [], ".ralph", "✓ Created a project in", "config.json"],
  ["a folder that --db names", ["--db", "."], ".ralph", "✓ Created a project in"],
  ["a project's file that --db names", ["--db", ".ralph/db/ralph.db"], ".ralph", "✓ Created a project in"],
  ["a file in a new folder that --db names", ["--db", "new/shop.db"], "new", "✓ 3 of 3 events"],
] as const)("an exported log is restored into %s", async (_, options, made, told, brought?: string) => {
  const { project, folder } = await freshProject();
  await project.decide(createTask({ title: "A" }));
  const { stdout: input } = await signalbox(["export"], { cwd: folder });
  const cwd = freshFolder();
  if (brought !== undefined) {
    mkdirSync(join(cwd, ".ralph"));
    writeFileSync(join(cwd, ".ralph", brought), "{}");
  }
  const before = readdirSync(cwd);
  expect(await signalbox(["import", "-", ...options, "--dry-run"], { cwd, input })).toMatchObject({
    exitCode: 0,
  });
  expect(await signalbox(["import", "missing.ndjson", ...options], { cwd })).toMatchObject({ exitCode: 2 });
  expect(readdirSync(cwd), "neither makes anything").toEqual(before);
  const cut = input.slice(0, -20);
  expect(await signalbox(["import", "-", ...options], { cwd, input: cut })).toMatchObject({ exitCode: 1 });
  if (made === ".ralph") expect(readdirSync(cwd), "nor does what is no export").toEqual(before);

  const ran = await signalbox(["import", "-", ...options], { cwd, input });
  expect(ran).toMatchObject({ exitCode: 0, stderr: "" });
  expect(ran.stdout).toContain(told);
  expect(readdirSync(cwd)).toEqual([made]);
  if (made === ".ralph") expect(existsSync(join(cwd, ".ralph/.gitignore"))).toBe(true);
  expect((await signalbox(["export", ...options], { cwd })).stdout).toBe(input);
  expect(await signalbox(["task", "add", "B", ...options], { cwd })).toMatchObject({ exitCode: 0 });
});

test("closing the reader of an export is not an error", async () => {
  const { project, folder } = await freshProject();
  for (let count = 0; count < 40; count++)
    await project.decide(createTask({ title: "Long", description: "x".repeat(50_000) }));
  const child = spawn(process.execPath, [packagePath("bin/signalbox.js"), "export"], { cwd: folder });
  child.stdout.once("data", () => child.stdout.destroy());
  const [code] = await once(child, "close");
  expect(code).toBe(0);
});

test("an import with a refused row ends with 1; an unreadable file records nothing", async () => {
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
});

test("a killed import leaves the project unchanged or complete, and continues on the next run", async () => {
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
});

test("of two simultaneous imports into one project one is done, and the other told that one runs", async () => {
  const { project, folder } = await freshProject();
  await project.decide(createTask({ title: "Once" }));
  const { stdout } = await signalbox(["export"], { cwd: folder });
  const to = join(freshFolder(), "to");
  const db = prepareFolder(to);
  const first = spawn(process.execPath, [packagePath("bin/signalbox.js"), "import", "-", to]);
  const lines = stdout.split("\n");
  first.stdin.write(`${lines[0]}\n${lines[1]}\n`);
  // It has the lock when it waits for the rest of the file.
  // To try the lock would take it: the import makes the file as it takes it, long before another one has started.
  await vi.waitFor(() => expect(existsSync(lockOf(db))).toBe(true), { timeout: 20_000, interval: 20 });
  const busy = { exitCode: 3, stdout: "", stderr: expect.stringMatching(/Another import.*\[busy\]/) };
  expect(await signalboxApart(["import", "-", to], { input: stdout })).toMatchObject(busy);
  const closed = once(first, "close");
  first.stdin.end(lines.slice(2).join("\n"));
  expect(await closed).toEqual([0, null]);
  expect((await signalbox(["export", "--db", to])).stdout).toBe(stdout);

  const release = takeFileLock(lockOf(db));
  const rows = ["import", "--from", "prd", fixture("prd.json")];
  expect(await signalbox(rows, { cwd: to })).toMatchObject(busy);
  expect(await signalbox([...rows, "--dry-run"], { cwd: to })).not.toMatchObject(busy);
  release?.();
  expect(await signalbox(rows, { cwd: to })).not.toMatchObject(busy);
});

const lockOf = (db: string) => join(runFolderBeside(db), "import.lock");

test("a redaction that comes with an import takes the words out of everything that follows from the log, and says so", async () => {
  const secret = "SECRETTOKEN-1234567890";
  const folder = freshFolder();
  await initProject(folder);
  const project = await openProject(folder);
  await project.decide(createTask({ title: "One", description: secret }));
  await project.decide(createTask({ title: "Two", description: "stays here" }));
  await project.close();
  await signalbox(["history", "make"], { cwd: folder });
  mkdirSync(join(folder, ".ralph/run/s1"), { recursive: true });
  writeFileSync(join(folder, ".ralph/run/s1/prompt.md"), `Do it with ${secret}. What stays here stays.`);
  const copy = join(freshFolder(), "copy");
  copyProject(folder, copy);
  await signalbox(["redact", "3", "--reason", "its key is live"], { cwd: folder });
  const file = join(freshFolder(), "log.ndjson");
  await signalbox(["export", "--out", file], { cwd: folder });

  expect(filesHolding(copy, secret).length).toBeGreaterThan(3);
  expect(await signalbox(["import", file, "--dry-run"], { cwd: copy })).toMatchObject(
    prints("1 event that the project still had in full would be redacted"),
  );
  expect(filesHolding(copy, secret).length).toBeGreaterThan(3);
  expect(await signalboxJson(["import", file], { cwd: copy })).toMatchObject({ redacted: 1, unclean: [] });
  expect(filesHolding(copy, secret)).toEqual([]);
  expect(filesHolding(copy, "stays here")).toContain(join(copy, ".ralph/run/s1/prompt.md"));
  const shown = await signalbox(["task", "show", "1", "--at", "3"], { cwd: copy });
  expect(shown.stdout).not.toContain(secret);
});

test("an import that cannot clean a file that somebody reads says which, with exit code 3", async () => {
  const { project, folder } = await freshProject();
  await project.decide(createTask({ title: "One", description: "SECRETTOKEN-1234567890" }));
  await project.close();
  const copy = join(freshFolder(), "copy");
  copyProject(folder, copy);
  await signalbox(["redact", "3", "--reason", "its key is live"], { cwd: folder });
  const { stdout } = await signalbox(["export"], { cwd: folder });
  const reader = openElsewhere(join(copy, ".ralph/db/events.db"));
  reader.exec("BEGIN");
  reader.prepare("SELECT count(*) FROM events").get();
  expect(await signalbox(["import", "-"], { cwd: copy, input: stdout })).toMatchObject(
    fails(3, /events\.db \(another process is reading.*\[unclean\]/),
  );
});

function filesHolding(folder: string, words: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => readFileSync(path).includes(words));
}
