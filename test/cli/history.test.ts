import { closeSync, existsSync, openSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { initProject, openProject, readModelPathIn } from "../../src/api/project.ts";
import { findMadeHistory } from "../../src/history/time-travel/history/history-file.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { fails, prints, signalbox } from "../support/cli.ts";
import { freshFolder } from "../support/project.ts";

async function projectOf(tasks: number): Promise<string> {
  const cwd = freshFolder();
  await initProject(cwd);
  const project = await openProject(cwd);
  for (let nth = 1; nth <= tasks; nth++) await project.decide(createTask({ title: `Task ${nth}` }));
  await project.close();
  return cwd;
}

test("history builds up to the head, resumes, and reports its progress", async () => {
  const cwd = await projectOf(3);
  const shown = async (...args: string[]) => {
    const { stdout, exitCode } = await signalbox(["history", ...args, "--json"], { cwd });
    expect(exitCode).toBe(0);
    return JSON.parse(stdout);
  };
  expect(await shown()).toEqual({ position: 0, head: 5, bytes: 0 });
  expect((await signalbox(["history"], { cwd })).stdout).toContain("Build it with `signalbox history make`");
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
  expect(line.stdout).toMatch(/^built up to event 6 of 6, \d+\.\d MB\n$/);
  expect(await signalbox(["history", "maek"], { cwd })).toMatchObject({ exitCode: 2 });
});

test("where it cannot be kept, none is made", async () => {
  const cwd = await projectOf(1);
  writeFileSync(join(cwd, ".ralph", "history"), "a file where the folder should be");
  const made = await signalbox(["history", "make"], { cwd });
  expect(made).toMatchObject({ ...fails(1, ".ralph is not writable"), stdout: "" });
});

test("if a row's checksum fails, --at says so, and a second call answers from the log", async () => {
  const cwd = await projectOf(3);
  await signalbox(["history", "make"], { cwd });
  const ask = () => signalbox(["task", "list", "--at", "4"], { cwd });
  const right = await ask();
  expect(right.stdout).toContain("Task 2");
  const path = findMadeHistory(readModelPathIn(cwd));
  const database = new Database(path ?? "");
  expect(database.prepare("UPDATE tasks SET title = 'Task 9' WHERE title = 'Task 2'").run().changes).toBe(1);
  database.close();
  const wrong = await ask();
  expect(wrong).toMatchObject({ ...fails(3, "a row of tasks fails its checksum"), stdout: "" });
  expect(await ask()).toEqual(right);
  expect((await signalbox(["history"], { cwd })).stdout).toContain("No history yet");
});

test.each([
  ["task", "list"],
  ["task", "show", "1"],
  ["why", "1"],
  ["log", "list"],
  ["next"],
  ["inbox"],
  ["status"],
])(
  "where SQLite finds the history damaged, %s %s --at says so or does without, and is right when it is asked again",
  async (...command) => {
    const cwd = await projectOf(3);
    const ask = () => signalbox([...command, "--at", "5"], { cwd });
    const right = await ask();
    await signalbox(["history", "make"], { cwd });
    const path = findMadeHistory(readModelPathIn(cwd)) ?? "";
    const database = new Database(path);
    database.pragma("journal_mode = DELETE");
    const page = Number(
      database.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'tasks'").pluck().get(),
    );
    const size = Number(database.pragma("page_size", { simple: true }));
    database.close();
    const file = openSync(path, "r+");
    writeSync(file, Buffer.alloc(size), 0, size, (page - 1) * size);
    closeSync(file);
    const wrong = await ask();
    if (wrong.exitCode === 0) expect(wrong.stdout).toBe(right.stdout);
    else {
      expect(wrong).toMatchObject({ exitCode: 3, stdout: "" });
      expect(wrong.stderr).toMatch(
        /^signalbox: The history of the read model is damaged \(.*\)\. It was removed: run the command again/,
      );
      expect(await ask()).toEqual(right);
    }
  },
);

test.each([
  ["no database", () => Buffer.from("no database at all. ".repeat(1_000))],
  ["cut off", (content: Buffer) => content.subarray(0, 20_000)],
  ["of another head", undefined],
])("a history that is %s is reported in words and rebuilt", async (_what, spoil) => {
  const cwd = await projectOf(3);
  await signalbox(["history", "make"], { cwd });
  const path = findMadeHistory(readModelPathIn(cwd)) ?? "";
  const database = new Database(path);
  // Else the journal puts back what is spoiled.
  database.pragma("journal_mode = DELETE");
  if (!spoil) database.exec("UPDATE __head SET position = position - 1");
  database.close();
  if (spoil) writeFileSync(path, spoil(readFileSync(path)));
  const shown = await signalbox(["history"], { cwd });
  expect(shown).toMatchObject({ exitCode: 3, stdout: "" });
  expect(shown.stderr).toMatch(
    /^signalbox: The history of the read model is damaged \(.*\)\. Build it again with `signalbox history make`\. \[damaged\]\n$/,
  );
  expect(await signalbox(["history", "make"], { cwd })).toMatchObject(prints(/^built up to event 5 of 5/));
});

test("while another process holds the history, how far it is made is shown, and making it is refused", async () => {
  const cwd = await projectOf(2);
  await signalbox(["history", "make"], { cwd });
  const path = findMadeHistory(readModelPathIn(cwd)) ?? "";
  const held = new Database(path);
  // Somebody else is making it, and takes long.
  held.exec("BEGIN IMMEDIATE");
  expect((await signalbox(["history"], { cwd })).stdout).toMatch(/^built up to event 4 of 4/);
  const made = await signalbox(["history", "make"], { cwd });
  held.exec("ROLLBACK");
  held.close();
  expect(made).toMatchObject({ ...fails(1, "Another process"), stdout: "" });
});
