import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { packagePath } from "../../../src/lib/package-root.ts";
import { fails, signalbox } from "../../support/cli.ts";
import { freshFolder } from "../../support/project.ts";

/** Two tasks; on the first a session asked, and Ada answered at position 9. */
async function given() {
  const cwd = freshFolder();
  const run = (...args: string[]) => signalbox(args, { cwd });
  await run("init");
  await run("task", "add", "Export");
  await run("task", "add", "Import");
  await run("session", "start", "1", "--session", "s-1");
  await run("signal", "ask", "--session", "s-1", "--question", "Semicolons or TABS?", "--blocking");
  await run("session", "state", "s-1", "analyzing");
  await run("session", "end", "s-1", "--exit", "cancelled");
  await run("inbox", "answer", "6", "Tabs.", "--actor", "Ada");
  const positions = async (...args: string[]) => {
    const { stdout, stderr, exitCode } = await run("log", "--json", ...args);
    if (exitCode !== 0) throw new Error(stderr);
    return stdout
      .split("\n")
      .filter(Boolean)
      .map((line): number => JSON.parse(line).position);
  };
  return { run, positions };
}

test("filters name a task with its sessions, a session, types, an actor and a text, and hold together", async () => {
  const { positions } = await given();
  expect(await positions("--task", "1")).toEqual([3, 5, 6, 7, 8, 9]);
  expect(await positions("--session", "s-1")).toEqual([5, 6, 7, 8]);
  expect(await positions("--type", "session")).toEqual([5, 7, 8]);
  expect(await positions("--type", "session.*", "--type", "task.created")).toEqual([3, 4, 5, 7, 8]);
  expect(await positions("--actor", "Ada")).toEqual([9]);
  expect(await positions("--text", "tabs")).toEqual([6, 9]);
  expect(await positions("--text", "tabs", "--actor", "agent")).toEqual([6]);
  expect(await positions("--task", "1", "--type", "task", "--actor", "agent")).toEqual([]);
});

test("positions and times are inclusive bounds, and the newest can come first", async () => {
  const { run, positions } = await given();
  expect(await positions("--from", "4", "--to", "6")).toEqual([4, 5, 6]);
  expect(await positions("--after", "7")).toEqual([8, 9]);
  expect(await positions("--reverse", "--limit", "2")).toEqual([9, 8]);
  expect(await positions("--limit", "2")).toEqual([1, 2]);
  const { recordedAt } = JSON.parse((await run("log", "--json", "--from", "5", "--limit", "1")).stdout);
  expect(await positions("--since", recordedAt)).toEqual([5, 6, 7, 8, 9]);
  expect(await positions("--until", recordedAt)).toEqual([1, 2, 3, 4, 5]);
  const day = recordedAt.slice(0, 10);
  expect((await positions("--since", day, "--until", day)).slice(0, 5)).toEqual([1, 2, 3, 4, 5]);
  expect(await positions("--since", "2099-01-01")).toEqual([]);
  expect(await positions("--since", "today", "--until", "today")).toEqual(
    await positions("--since", new Date().toISOString().slice(0, 10)),
  );
  expect(await positions("--until", "yesterday")).toEqual([]);
  expect(await positions("--after", "9", "--to", "9")).toEqual([]);
  expect(await positions("--since", "2 hours ago", "--to", "3")).toEqual([1, 2, 3]);
  expect(await positions("--until", "2 hours ago")).toEqual([]);
});

test("the table shows time, position, actor, task, session and text of each event", async () => {
  const { run } = await given();
  const { stdout } = await run("log", "--from", "7", "--limit", "1");
  expect(stdout).toMatch(/position +time +actor +task +session +type +what it says\n/);
  expect(stdout).toMatch(
    / 7 {2}\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}agent +#1 +s-1 +session\.state_reported +\S/,
  );
});

test("without matches, people get a message", async () => {
  const { run } = await given();
  expect(await run("log", "--text", "commas")).toMatchObject({ stdout: "none\n", stderr: "", exitCode: 0 });
});

test("a session that no event names is refused, with the one that was meant", async () => {
  const { run } = await given();
  const ran = await run("log", "--json", "--session", "session-1");
  expect(ran).toMatchObject({ stdout: "", exitCode: 1 });
  expect(ran.stderr).toContain('No event has the session "session-1". Known names: s-1. [not_found]');
  // Named in the log, and yet without an event that fits the rest.
  expect(await run("log", "--json", "--session", "s-1", "--actor", "Ada")).toMatchObject({ exitCode: 0 });
});

test.each([
  [["--from", "5", "--to", "2"], "The first position, 5, is after the last, 2"],
  [["--after", "5", "--to", "2"], "There is nothing after position 5 up to 2"],
  [["--since", "2026-11-21", "--until", "2026-11-20"], "is after the end 2026-11-20T23:59:59.999999Z"],
])("%j, an empty range, is refused", async (bounds, words) => {
  const cwd = freshFolder();
  await signalbox(["init"], { cwd });
  const ran = await signalbox(["log", ...bounds], { cwd });
  expect(ran).toMatchObject({ ...fails(1, words), stdout: "" });
});

test.each([
  ["--task", "1", "There is no task 1"],
  ["--session", "s-1", 'No event has the session "s-1".'],
  ["--actor", "Bob", 'No event has the actor "Bob".'],
])("following %s %s in the future says so and waits", async (option, name, words) => {
  const cwd = freshFolder();
  await signalbox(["init"], { cwd });
  const args = ["log", "--json", "--follow", option, name, "--limit", "1"];
  const following = spawn(process.execPath, [packagePath("bin/signalbox.js"), ...args], { cwd });
  const [stdout, stderr, code] = [
    text(following.stdout),
    firstLine(following.stderr),
    once(following, "exit"),
  ];
  expect(await stderr).toContain(words);
  await signalbox(["task", "add", "Export", "--actor", "Bob"], { cwd });
  await signalbox(["session", "start", "1", "--session", "s-1"], { cwd });
  expect(await code).toEqual([0, null]);
  expect((await stdout).trim().split("\n")).toHaveLength(1);
});

async function firstLine(stream: Readable): Promise<string> {
  for await (const line of createInterface({ input: stream })) return line;
  return "";
}

test.each([
  ["--type", "singal", 2, 'Did you mean "signal"?'],
  ["--type", "gate.atempted", 2, 'Did you mean "gate.attempted"?'],
  ["--actor", "humna", 1, 'Did you mean "human"?'],
  ["--task", "9", 1, "There is no task 9"],
  ["--since", "2026-02-30", 2, "It must be a date or a time"],
  ["--from", "0", 2, "It must be a whole number, 1 or higher"],
])("%s %s is refused with a valid choice", async (option, value, exitCode, words) => {
  const cwd = freshFolder();
  await signalbox(["init"], { cwd });
  const ran = await signalbox(["log", option, value], { cwd });
  expect(ran).toMatchObject({ ...fails(exitCode, words), stdout: "" });
});

test("following prints existing matches, then new ones, and ends at the limit", async () => {
  const { run, positions } = await given();
  const following = positions("--follow", "--type", "comment", "--limit", "2");
  await run("comment", "1", "First.");
  await run("task", "add", "Another");
  await run("comment", "2", "Second.");
  expect(await following).toEqual([10, 12]);
});
