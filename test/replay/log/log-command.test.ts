import { expect, test } from "vitest";
import { signalbox } from "../../support/cli.ts";
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

test("positions and times bound what is read, both included, and the newest can come first", async () => {
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
  expect(await positions("--since", "2 hours ago", "--to", "3")).toEqual([1, 2, 3]);
  expect(await positions("--until", "2 hours ago")).toEqual([]);
});

test("the table shows time, position, actor, task and session of each event, and what it says", async () => {
  const { run } = await given();
  const { stdout } = await run("log", "--from", "7", "--limit", "1");
  expect(stdout).toMatch(/position +time +actor +task +session +type +what it says\n/);
  expect(stdout).toMatch(
    / 7 {2}\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}agent +#1 +s-1 +session\.state_reported +\S/,
  );
});

test.each([
  ["--type", "singal", 2, 'Did you mean "signal"?'],
  ["--type", "gate.atempted", 2, 'Did you mean "gate.attempted"?'],
  ["--actor", "humna", 1, 'Did you mean "human"?'],
  ["--task", "9", 1, "There is no task 9"],
  ["--since", "2026-02-30", 2, "It must be a date or a time"],
  ["--from", "0", 2, "It must be a whole number from 1 on"],
])("%s %s is refused with what would be right", async (option, value, exitCode, words) => {
  const cwd = freshFolder();
  await signalbox(["init"], { cwd });
  const ran = await signalbox(["log", option, value], { cwd });
  expect(ran).toMatchObject({ exitCode, stdout: "" });
  expect(ran.stderr).toContain(words);
});

test("who follows gets what there is and what comes of what was asked for, and ends when there is enough", async () => {
  const { run, positions } = await given();
  const following = positions("--follow", "--type", "comment", "--limit", "2");
  await run("comment", "1", "First.");
  await run("task", "add", "Another");
  await run("comment", "2", "Second.");
  expect(await following).toEqual([10, 12]);
});
