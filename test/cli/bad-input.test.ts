import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { initProject, openProject, type Project } from "../../src/api/project.ts";
import { endSession, startSession } from "../../src/operations/sessions.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { fails, signalbox } from "../support/cli.ts";
import { freshFolder } from "../support/project.ts";

/** One project for all cases: none of them may change it. */
let cwd: string;
let project: Project;

beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), "signalbox-test-"));
  await initProject(cwd);
  project = await openProject(cwd);
  await project.decide(createTask({ title: "A" }));
  await project.decide(startSession({ task: 1, session: "s-1" }));
  await project.decide(createTask({ title: "B" }));
  await project.decide(startSession({ task: 2, session: "s-2" }));
  await project.decide(endSession({ session: "s-2", exit: "exited" }));
});

afterAll(async () => {
  await project.close();
  rmSync(cwd, { recursive: true, force: true });
});

test.each([
  [["task", "add", ""], 2, "`title` is blank"],
  [["task", "add", "x", "--priority", "urgent"], 2, "critical, high, medium, low"],
  [["task", "add", "x", "--feature", "nope"], 1, 'There is no feature "nope"'],
  [["task", "add", "x", "--depends-on", "9"], 1, "There is no task 9"],
  [["task", "add", "x", "--depends-on", "one"], 2, "whole number"],
  [["task", "set", "1"], 1, "Nothing to change"],
  [["task", "set", "1", "--status", "finished"], 2, "needs_input"],
  [["task", "set", "1", "--status", "done"], 1, "Session s-1 of task 1 is open"],
  [["task", "set", "1", "--depends-on", "1"], 1, "circular dependency"],
  [["task", "show", "7"], 1, "There is no task 7"],
  [["task", "show", "abc"], 2, "error: 'abc' is not a task number\nSee `signalbox task show --help`.\n"],
  [["gate", "act", "1", "first", "skip"], 2, "error: 'first' is not a gate number\n"],
  [
    ["prove", "last"],
    2,
    "error: 'last' is not a valid <position>. It must be a whole number, 1 or higher.\n",
  ],
  [
    ["run", "--jobs", "two"],
    2,
    "error: 'two' is not valid for --jobs. It must be a whole number, 1 or higher.\n",
  ],
  [["session", "start", "1"], 1, "is open"],
  [["session", "start", "1", "--force"], 1, "is open"],
  [["session", "end", "s-1"], 2, "--exit"],
  [["session", "end", "s-1", "--exit", "finished"], 2, "exited, crashed, timed_out, cancelled"],
  [["session", "end", "s-9", "--exit", "exited"], 1, "There is no session s-9"],
  [["session", "end", "s-2", "--exit", "exited"], 1, "has already ended"],
  [["inbox", "answer", "1", "x"], 1, "There is no question 1"],
  [["inbox", "undo", "1"], 1, "There is no"],
  [["gate", "act", "1", "1", "skip"], 1, "has no gate 1"],
  [["gate", "act", "1", "1", "pass"], 2, "retry, skip, abort"],
  [["policy", "set", "stuck_limit", "0"], 2, "stuck_limit takes a whole number from 1 to 1000"],
  [["policy", "set", "luck", "1"], 2, "stuck_limit"],
  [["comment", "1", " "], 2, "`body` is blank"],
  [["sims", "no-such-folder"], 2, "There is no file or folder no-such-folder"],
  [["gate", "list", "9"], 1, "There is no task 9"],
  [["finish"], 2, "unknown command"],
  [["task", "finish"], 2, "unknown command 'finish'. The commands are add, list, show, set"],
  [["task", "create", "--title", "x"], 2, "unknown command 'create'. The commands are add, list, show, set"],
  [["task", "list", "--title", "x"], 2, "error: unknown option '--title'"],
  [["task", "list", "finish"], 2, "error: too many arguments for 'list'"],
  [["why", "task", "finish"], 2, "error: 'finish' is not a task number"],
] as const)("signalbox %j exits with %i and says what was wrong", async (args, exitCode, message) => {
  const before = await project.log.head();
  const ran = await signalbox(args, { cwd });
  expect(ran).toMatchObject({ ...fails(exitCode, message), stdout: "" });
  expect(await project.log.head()).toBe(before);
});

test("without a project the commands say how to make one", async () => {
  const ran = await signalbox(["status"], { cwd: freshFolder() });
  expect(ran.exitCode).toBe(3);
  expect(ran.stderr).toContain("signalbox init");
});
