import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import type { Project } from "../../src/api/project.ts";
import { recordSignal } from "../../src/decisions/rules/reports.ts";
import { buildPrompt } from "../../src/loop/prompt/build.ts";
import type { RecipeName } from "../../src/mcp/recipes.ts";
import { addComment } from "../../src/operations/comments.ts";
import { endSession, startSession } from "../../src/operations/sessions.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { catchUp } from "../../src/read-model/worker.ts";
import { givenDiscipline } from "../mcp/launching/given.ts";
import { fails, signalbox, signalboxJson } from "../support/cli.ts";
import { freshProject } from "../support/project.ts";

/* Catches: a look that is recorded, a record of another text than was printed, a session that is not the task's. */

let project: Project;
let cwd: string;

beforeEach(async () => {
  const fresh = await freshProject();
  project = fresh.project;
  cwd = fresh.folder;
  await project.decide(createTask({ title: "Export", description: "Semicolons." }));
  await project.decide(createTask({ title: "Import" }));
  await project.decide(startSession({ task: 1, session: "s-1" }));
  const reporter = { task: 1, session: "s-1", actor: "agent" };
  const args = { text: "Exports are in UTC.", kind: "discovery" };
  await recordSignal(project.store, reporter, {
    verb: "learned",
    args,
    id: project.store.environment.newId(),
  });
  await project.decide(endSession({ session: "s-1", exit: "exited" }));
  await project.decide(addComment({ task: 1, author: "Ada", body: "Quickly." }));
});

/** What the log and the read model say now, built in this process. */
async function builtHere(options: { session?: string; tokens?: number; recipe?: RecipeName } = {}) {
  await catchUp(project.store.readModel, project.log);
  return buildPrompt(project.store.readModel, { task: 1, tokens: 12_000, ...options });
}

test("the prompt is printed as built, and printing it is not recorded", async () => {
  const head = await project.log.head();
  const ran = await signalbox(["prompt", "1"], { cwd });
  expect(ran).toMatchObject({ exitCode: 0, stderr: "" });
  expect(ran.stdout).toBe((await builtHere()).text);
  expect(await project.log.head()).toBe(head);
});

test("with an open session the prompt's sources are recorded, once per key", async () => {
  await project.decide(startSession({ task: 1, session: "s-2" }));
  const built = await builtHere({ session: "s-2" });
  for (let again = 0; again < 2; again++) {
    const ran = await signalbox(["prompt", "1", "--session", "s-2", "--key", "k"], { cwd });
    expect(ran.stdout).toBe(built.text);
  }
  const head = await project.log.head();
  const [event] = await project.log.read(head - 1, 1);
  expect(event).toMatchObject({
    type: "prompt.built",
    stream: "session-s-2",
    correlation: "s-2",
    actor: "driver",
  });
  const { positions, characters, tokens, cut, sha256 } = built;
  expect(event?.payload).toEqual({ session: "s-2", task: 1, positions, characters, tokens, cut, sha256 });
  const [before] = await project.log.read(head - 2, 1);
  expect(before?.type).toBe("session.started");
});

test.each([
  [["--session", "s-1"], 1, "Session s-1 has already ended"],
  [["--session", "s-9"], 1, "Task 1 has no session s-9"],
  [["--session", "s-2"], 1, "Task 1 has no session s-2"],
  [["--session", "s-9", "--explain"], 1, "Task 1 has no session s-9"],
  [["--session", "s-1", "--explain"], 1, "No prompt is recorded for session s-1"],
  [["--tokens", "600"], 2, "the budget is 600"],
  [["--tokens", "0"], 2, "whole number"],
] as const)("signalbox prompt 1 %j exits with %i and records nothing", async (options, exitCode, message) => {
  await project.decide(startSession({ task: 2, session: "s-2" }));
  const head = await project.log.head();
  const ran = await signalbox(["prompt", "1", ...options], { cwd });
  expect(ran).toMatchObject({ ...fails(exitCode, message), stdout: "" });
  expect(await project.log.head()).toBe(head);
});

test("the budget comes from the configuration, whose faults are reported", async () => {
  mkdirSync(join(cwd, ".ralph"), { recursive: true });
  const configure = (config: object) =>
    writeFileSync(join(cwd, ".ralph", "config.json"), JSON.stringify(config));
  configure({ prompt: { tokens: 5_000 } });
  expect(await signalboxJson(["prompt", "1"], { cwd })).toMatchObject({ budget: 5_000 });
  expect(await signalboxJson(["prompt", "1", "--tokens", "6000"], { cwd })).toMatchObject({ budget: 6_000 });
  configure({ prompt: { tokens: "many" } });
  const ran = await signalbox(["prompt", "1"], { cwd });
  expect(ran).toMatchObject({ ...fails(2, "prompt.tokens"), stdout: "" });
});

test("the recipe comes from the configuration, and --recipe overrides it", async () => {
  mkdirSync(join(cwd, ".ralph"), { recursive: true });
  writeFileSync(join(cwd, ".ralph", "config.json"), JSON.stringify({ recipe: "task_execution" }));
  const configured = (await builtHere({ recipe: "task_execution" })).text;
  expect((await signalbox(["prompt", "1"], { cwd })).stdout).toBe(configured);
  const { stdout } = await signalbox(["prompt", "1", "--recipe", "signals"], { cwd });
  expect(stdout).toBe((await builtHere()).text);
  expect(await signalboxJson(["prompt", "1"], { cwd })).toMatchObject({ recipe: "task_execution" });
  const explained = await signalbox(["prompt", "1", "--explain"], { cwd });
  expect(explained.stdout).toMatch(/^Prompt of task 1, recipe task_execution: /);
});

test("a prompt for an agent that could not close its session is refused, naming the discipline and the tools", async () => {
  await givenDiscipline(project, "docs", { disabled_tools: ["done", "partial", "stuck"] });
  await project.decide(createTask({ title: "Describe", discipline: "docs" }));
  const ran = await signalbox(["prompt", "3"], { cwd });
  expect(ran).toMatchObject({
    ...fails(1, 'the discipline "docs" removes done, partial, stuck'),
    stdout: "",
  });
  expect(ran.stderr).toContain("[no_closing_verb]");
});

test("--json has the text and each part with its entries, their positions, and whether they were cut", async () => {
  const built = await builtHere();
  const { text, positions, sha256 } = built;
  const json = await signalboxJson(["prompt", "1"], { cwd });
  expect(json).toMatchObject({ task: 1, session: null, text, positions, sha256, cut: 0 });
  const comments = built.parts.find(({ name }) => name === "comments");
  expect(json).toHaveProperty(
    "parts",
    expect.arrayContaining([expect.objectContaining({ name: "comments" })]),
  );
  expect(JSON.stringify(json)).toContain(
    JSON.stringify({
      positions: comments?.taken[0]?.positions,
      characters: comments?.taken[0]?.text.length,
    }).slice(1, -1),
  );
});

test("--explain shows each part, the reason for it, and the cut entries", async () => {
  for (let index = 0; index < 12; index++) {
    await project.decide(addComment({ task: 1, author: "Ada", body: `${index} ${"again and ".repeat(60)}` }));
  }
  const head = await project.log.head();
  const { stdout } = await signalbox(["prompt", "1", "--tokens", "1500", "--explain"], { cwd });
  expect(stdout).toMatch(
    /^Prompt of task 1, recipe signals: about \d+ of 1500 tokens, \d+ events, \d+ left out\.\n/,
  );
  expect(stdout).toMatch(/\ncomments +\d+ +\d+ of 13 +what humans wrote on this task/);
  expect(stdout).toMatch(/\nstuck +\d+ +1 +the stuck count is 1/);
  expect(stdout).toMatch(/\nin +\d+ +\d+ +written since the last session +- Ada/);
  expect(stdout).toMatch(/\ncut +\d+ +\d+ +written since the last session +- Ada/);
  expect(stdout).toMatch(/\nin +6 +\d+ +rank \d\.\d\d: words 1\.00/);
  expect(await project.log.head()).toBe(head);
});

test("--explain of a session with a recorded prompt shows the recorded sources", async () => {
  await project.decide(startSession({ task: 1, session: "s-2" }));
  const { text } = await builtHere({ session: "s-2" });
  await signalbox(["prompt", "1", "--session", "s-2"], { cwd });
  await project.decide(endSession({ session: "s-2", exit: "exited" }));
  await project.decide(addComment({ task: 1, author: "Ada", body: "Too late." }));
  const { stdout } = await signalbox(["prompt", "1", "--session", "s-2", "--explain"], { cwd });
  expect(stdout).toMatch(/^Prompt of session s-2 of task 1, recorded at position 10: /);
  expect(stdout).toContain(`(${text.length} characters)`);
  expect(stdout).toMatch(/\n8 +comment\.added +Quickly\./);
  expect(stdout).not.toContain("Too late.");
  const json = await signalboxJson(["prompt", "1", "--session", "s-2", "--explain"], { cwd });
  expect(json).toMatchObject({ session: "s-2", position: 10, characters: text.length });
});
