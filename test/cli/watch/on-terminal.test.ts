// @module-tag script
import { expect, test } from "vitest";
import type { Project } from "../../../src/api/project.ts";
import { logPathBeside } from "../../../src/events/log-location.ts";
import { createTask, endSession, startSession } from "../../../src/index.ts";
import { insertForeign } from "../../events/foreign-records.ts";
import { freshProject } from "../../support/project.ts";
import { signalboxOnTerminal } from "../../support/terminal.ts";
import { givenQuestion, reports, says } from "./given-project.ts";

const answersIn = async (project: Project) =>
  (await project.log.read(0, 1_000)).filter(({ type }) => type === "question.answered");

test("a question is seen, answered with keys, and the answer is in the log", async () => {
  const { project, folder } = await givenQuestion();
  const watch = signalboxOnTerminal(["watch", "--actor", "ada"], { cwd: folder });
  expect(await watch.shows("Semicolons or tabs?")).toContain("1 semicolons (preferred)");
  watch.type("aTabs, püre ones.\r");
  expect(await watch.shows("question.answered at #8; task 1 is pending.")).toContain("Nothing needs you.");
  expect(await answersIn(project)).toMatchObject([
    { position: 8, actor: "ada", payload: { task: 1, answer: "Tabs, püre ones." } },
  ]);
  watch.type("z");
  await watch.shows("question.reopened at #9; task 1 is needs_input.");
  watch.type("1");
  await watch.shows("question.answered at #10");
  expect(await answersIn(project)).toMatchObject([{}, { payload: { answer: "semicolons" } }]);
  watch.type("q");
  expect(await watch.ended()).toBe(0);
});

test("the view shows other processes' changes: a phase, a signal, an item, a count", async () => {
  const { project, folder } = await freshProject();
  const watch = signalboxOnTerminal(["watch"], { cwd: folder });
  await watch.shows("No session is running.");
  await project.decide(createTask({ title: "Export orders as CSV" }));
  await watch.shows("ready 1");
  await project.decide(startSession({ task: 1, session: "s-1" }));
  await watch.shows("○ idle");
  await reports(project, "s-1", "testing");
  await says(project, "s-1", "blocked", { on: "The licence key", kind: "external" });
  const screen = await watch.shows("blocked The licence key");
  expect(screen).toContain("◒ testing");
  expect(screen).toContain("in progress 1");
  await project.decide(endSession({ session: "s-1", exit: "exited" }));
  expect(await watch.shows("■ blocker")).toContain("No session is running.");
});

test("a refused act shows the reason, and the view stays open", async () => {
  const { project, folder } = await givenQuestion();
  const watch = signalboxOnTerminal(["watch"], { cwd: folder });
  await watch.shows("Semicolons or tabs?");
  watch.type("1");
  await watch.shows("question.answered");
  await project.decide(startSession({ task: 1, session: "s-2" }));
  await watch.shows("Sessions 1");
  watch.type("z");
  await watch.shows("✕ Question 5 was answered before the start of session s-2 of task 1");
});

test.each([
  ["q", async (watch) => watch.type("q")],
  ["Ctrl-C", async (watch) => watch.type("\u0003")],
  ["SIGTERM", async (watch) => void process.kill(await watch.programId(), "SIGTERM")],
  ["SIGHUP", async (watch) => void process.kill(await watch.programId(), "SIGHUP")],
] as [string, (watch: ReturnType<typeof signalboxOnTerminal>) => Promise<void>][])(
  "%s ends it with exit code 0 and restores the terminal",
  async (_how, end) => {
    const { folder } = await givenQuestion();
    const watch = signalboxOnTerminal(["watch"], { cwd: folder });
    await watch.shows("Semicolons or tabs?");
    expect(await watch.terminal.isAlternate()).toBe(true);
    await end(watch);
    expect(await watch.ended()).toBe(0);
    await expectRestored(watch);
  },
);

test("after a crash the terminal is restored, then the error is printed", async () => {
  const { folder } = await givenQuestion();
  const crash = "data:text/javascript,process.on('SIGUSR2',()=>{throw%20new%20Error('boom')})";
  const watch = signalboxOnTerminal(["watch"], { cwd: folder, env: { NODE_OPTIONS: `--import=${crash}` } });
  await watch.shows("Semicolons or tabs?");
  process.kill(await watch.programId(), "SIGUSR2");
  expect(await watch.ended()).toBe(1);
  await expectRestored(watch);
  expect(await watch.terminal.text()).toContain("boom");
});

test("a log that can no longer be read gives the terminal back, then says why", async () => {
  const { folder, db } = await givenQuestion();
  const watch = signalboxOnTerminal(["watch"], { cwd: folder });
  await watch.shows("Semicolons or tabs?");
  insertForeign(logPathBeside(db), {
    type: "task.dreamt",
    schemaVersion: 1,
    stream: "task-1",
    payload: "{}",
  });
  expect(await watch.ended()).toBe(3);
  await expectRestored(watch);
  expect(await watch.terminal.text()).toContain("task.dreamt");
});

test("simultaneous keys give one frame, and simultaneous changes few", async () => {
  const { project, folder } = await givenQuestion();
  const watch = signalboxOnTerminal(["watch"], { cwd: folder });
  await watch.shows("Semicolons or tabs?");
  watch.type(`a${"abcdefghij".repeat(50)}`);
  await watch.shows("abcdefghij".repeat(4));
  const learned = (n: number) => says(project, "s-1", "learned", { text: `Fact ${n}.`, kind: "discovery" });
  await Promise.all(Array.from({ length: 500 }, (_, n) => learned(n)));
  await watch.shows("#507");
  expect(watch.terminal.written.join("").split("\u001b[?2026h").length - 1).toBeLessThan(100);
});

test("a resized terminal gets one full frame in the new size", async () => {
  const { folder } = await givenQuestion();
  const watch = signalboxOnTerminal(["watch"], { cwd: folder });
  await watch.shows("signalbox session list --open");
  watch.resize(39, 20);
  watch.type("j?");
  await watch.shows("? back");
  watch.type("?");
  const lines = (await watch.shows("a answer")).split("\n");
  expect(lines).toHaveLength(20);
  expect(lines.at(-1)).toMatch(/^1…2 choose/);
  expect(watch.terminal.written.join("").split("\u001b[2J")).toHaveLength(3);
});

test("Ctrl-Z without a job-control shell does nothing", async () => {
  const { folder } = await givenQuestion();
  const watch = signalboxOnTerminal(["watch"], { cwd: folder });
  await watch.shows("Semicolons or tabs?");
  watch.type("\u001a");
  await watch.left(1);
  watch.type("?");
  await watch.shows("? back");
  expect(await watch.terminal.isAlternate()).toBe(true);
});

test("NO_COLOR and --no-color take the colours, --ascii the symbols", async () => {
  const { folder } = await givenQuestion();
  const colours = async (args: string[], env: Record<string, string>) => {
    const watch = signalboxOnTerminal(["watch", ...args], { cwd: folder, env });
    const text = await watch.shows("Semicolons or tabs?");
    watch.type("q");
    await watch.ended();
    return { text, codes: /\u001b\[[39]\d?m/.test(watch.terminal.written.join("")) };
  };
  expect((await colours([], {})).codes).toBe(true);
  expect((await colours([], { NO_COLOR: "1" })).codes).toBe(false);
  expect((await colours(["--no-color"], {})).codes).toBe(false);
  expect((await colours(["--ascii"], {})).text).toMatch(/^[\x20-\x7e\n]*$/);
});

test("where TERM is dumb, a terminal gets plain lines", async () => {
  const { folder } = await givenQuestion();
  const watch = signalboxOnTerminal(["watch"], { cwd: folder, env: { TERM: "dumb" } });
  await watch.shows("in the inbox");
  process.kill(await watch.programId(), "SIGTERM");
  expect(await watch.ended()).toBe(0);
  expect(watch.terminal.written.join("")).not.toContain("\u001b");
});

/** Nothing of the view is left: the main screen, the cursor, wrapping, and pastes as typed. */
async function expectRestored(watch: ReturnType<typeof signalboxOnTerminal>): Promise<void> {
  expect(await watch.terminal.isAlternate()).toBe(false);
  const written = watch.terminal.written.join("");
  for (const [on, off] of [
    ["\u001b[?25l", "\u001b[?25h"],
    ["\u001b[?7l", "\u001b[?7h"],
    ["\u001b[?2004h", "\u001b[?2004l"],
    ["\u001b[?1049h", "\u001b[?1049l"],
  ] as const) {
    expect(written.lastIndexOf(off)).toBeGreaterThan(written.lastIndexOf(on));
  }
  expect(await watch.terminal.text()).not.toContain("Semicolons");
}
