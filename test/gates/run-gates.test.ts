// @module-tag linux
import { existsSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseConfig } from "../../src/config/config.ts";
import { decide } from "../../src/decisions/decide.ts";
import { runGates } from "../../src/gates/run-gates.ts";
import { decideOnGates, declareGates } from "../../src/operations/gates.ts";
import { startSession } from "../../src/operations/sessions.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { signalbox, signalboxJson } from "../support/cli.ts";
import { freshProject, givenConfig } from "../support/project.ts";

const config = parseConfig({}, "test");

async function given(...commands: string[]) {
  const { project, folder, db } = await freshProject();
  const gates = commands.map((command) => ({ command, max: 2, timeout_s: 5 }));
  await project.decide(createTask({ title: "Export", gates }));
  const attempts = async () =>
    (await project.log.read(0, 100)).flatMap((event) =>
      event.type === "gate.attempted" ? [event.payload] : [],
    );
  return { project, folder, db, attempts };
}

test("all gates of a task are run in the project's folder, in their order, and each attempt is recorded", async () => {
  const { project, folder, attempts } = await given(
    "echo one >> ran; pwd",
    "echo two >> ran; echo no >&2; exit 3",
  );
  await project.decide(startSession({ task: 1, session: "s-1" }));
  const runs = await runGates(project, { task: 1, session: "s-1", folder, config });
  expect(runs).toMatchObject([
    { gate: 1, passed: true, state: "passed", result: { exit_code: 0 } },
    { gate: 2, passed: false, state: "failed", result: { exit_code: 3 } },
  ]);
  expect(readFileSync(join(folder, "ran"), "utf8")).toBe("one\ntwo\n");
  expect(await attempts()).toMatchObject([
    {
      ...{ gate: 1, session: "s-1", exit_code: 0, timed_out: false, interrupted: false },
      command: "echo one >> ran; pwd",
      stdout: { head: `${realpathSync(folder)}\n`, bytes: expect.any(Number), sha256: expect.any(String) },
    },
    { gate: 2, session: "s-1", exit_code: 3, timed_out: false, stderr: { head: "no\n", bytes: 3 } },
  ]);
});

test("the attempt that reaches the maximum escalates the gate, which is then not run any more", async () => {
  const { project, folder, attempts } = await given("echo x >> ran; false");
  await runGates(project, { task: 1, folder, config });
  expect(await runGates(project, { task: 1, folder, config })).toMatchObject([{ state: "escalated" }]);
  expect(await runGates(project, { task: 1, folder, config })).toEqual([]);
  await expect(runGates(project, { task: 1, gate: 1, folder, config })).rejects.toThrow(
    "Gate 1 of task 1 is escalated and does not run.",
  );
  expect(readFileSync(join(folder, "ran"), "utf8")).toBe("x\nx\n");
  expect(await attempts()).toHaveLength(2);
});

test("an agent's gate is not run before a human approved it, nor after a rejection", async () => {
  const { project, folder, attempts } = await given("echo own >> ran");
  const gates = ["one", "two"].map((word) => ({ command: `echo ${word} >> ran`, max: 2, timeout_s: 5 }));
  await decide(project.store, declareGates({ task: 1, gates }), { actor: "agent" });
  // By force: a task with a gate that waits is not ready.
  await project.decide(startSession({ task: 1, session: "s-1", force: true }));
  expect(await runGates(project, { task: 1, session: "s-1", folder, config })).toMatchObject([{ gate: 1 }]);
  await expect(runGates(project, { task: 1, gate: 2, folder, config })).rejects.toThrow(
    "Gate 2 of task 1 was declared by an agent and does not run until a human approves it",
  );
  await project.decide(decideOnGates({ task: 1, gate: 2, approve: true }));
  await project.decide(decideOnGates({ task: 1, gate: 3, approve: false }));
  expect(await runGates(project, { task: 1, gate: 2, folder, config })).toMatchObject([{ passed: true }]);
  await expect(runGates(project, { task: 1, gate: 3, folder, config })).rejects.toThrow("is skipped");
  expect(readFileSync(join(folder, "ran"), "utf8")).toBe("own\none\n");
  expect(await attempts()).toMatchObject([{ gate: 1 }, { gate: 2 }]);
});

test("a command that a signal ended is a failed attempt, and the signal is kept", async () => {
  const { project, folder, attempts } = await given("kill -KILL $$");
  await runGates(project, { task: 1, folder, config });
  expect(await attempts()).toMatchObject([
    { exit_code: null, signal: "SIGKILL", explanation: expect.stringContaining("SIGKILL") },
  ]);
});

test("a gate does not see the driver's environment", async () => {
  const { folder, db, attempts } = await given("env");
  const preload = join(folder, "preload.cjs");
  writeFileSync(preload, "");
  const { PATH = "" } = process.env;
  const env = { NODE_OPTIONS: `--require ${preload}`, AWS_SECRET_ACCESS_KEY: "hush" };
  const ran = await signalbox(["gate", "run", "1", "--db", db], { env: { ...env, PATH } });
  expect(ran.stdout).toContain("gate 1 passed");
  const [attempt] = await attempts();
  expect(attempt?.stdout.head).not.toMatch(/hush|NODE_OPTIONS|RALPH_/);
});

test("a variable that the configuration names reaches a gate, and no other one does", async () => {
  const { folder, db, attempts } = await given("env");
  givenConfig(folder, { gates: { environment: ["DATABASE_URL"] } });
  const env = { PATH: process.env.PATH ?? "", DATABASE_URL: "sqlite:x", DATABASE_PASSWORD: "hush" };
  await signalbox(["gate", "run", "1", "--db", db], { env });
  const [attempt] = await attempts();
  expect(attempt?.stdout.head).toContain("DATABASE_URL=sqlite:x");
  expect(attempt?.stdout.head).not.toContain("hush");
});

test("where isolation is asked for, a gate has no network or is not run at all", async () => {
  const { folder, db, attempts } = await given("cat /proc/net/route | wc -l");
  givenConfig(folder, { gates: { isolation: true } });
  const ran = await signalbox(["gate", "run", "1", "--db", db]);
  if (ran.exitCode === 3) {
    expect(ran.stderr).toContain("Install bubblewrap");
    expect(await attempts()).toEqual([]);
  } else {
    // The line of headings alone: there is no route to anywhere.
    expect(await attempts()).toMatchObject([{ exit_code: 0, stdout: { head: "1\n" } }]);
  }
});

test("a gate that is given up is an attempt that was interrupted, and none is run after it", async () => {
  const { project, folder, attempts } = await given("touch begun; sleep 60", "touch second");
  const stop = new AbortController();
  const running = runGates(project, { task: 1, folder, config, signal: stop.signal });
  while (!existsSync(join(folder, "begun"))) await new Promise((resolve) => setTimeout(resolve, 10));
  stop.abort();
  expect(await running).toMatchObject([
    { gate: 1, passed: false, state: "failed", result: { interrupted: true } },
  ]);
  expect(await attempts()).toMatchObject([{ gate: 1, interrupted: true, exit_code: null }]);
  expect(existsSync(join(folder, "second"))).toBe(false);
});

test("gate run prints the failures and reasons, and its exit code says whether all passed", async () => {
  const { db, folder } = await given("echo fine", "echo broken; exit 1", "no-such-command-at-all");
  const all = await signalbox(["gate", "run", "1", "--db", db]);
  expect(all.exitCode).toBe(1);
  expect(all.stdout).toMatch(/gate 1 passed/);
  expect(all.stdout).toMatch(/gate 2 is failed .*exit code 1\n {2}broken/);
  expect(all.stdout).toMatch(/gate 3 is failed .*127/);
  const one = await signalboxJson(["gate", "run", "1", "1"], { cwd: folder });
  expect(one).toMatchObject([{ gate: 1, passed: true, state: "passed" }]);
});

test.each([
  [["9"], "There is no task 9"],
  [["1", "4"], "Task 1 has no gate 4."],
  [["1", "--session", "s-9"], "Task 1 has no session s-9."],
])("gate run %j is refused before anything is run", async (args, message) => {
  const { db, folder, attempts } = await given("touch ran");
  const ran = await signalbox(["gate", "run", ...args, "--db", db]);
  expect(ran).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(message) });
  expect(existsSync(join(folder, "ran"))).toBe(false);
  expect(await attempts()).toEqual([]);
});

test("two who run the gates of one project do so one after the other", async () => {
  const { db, folder } = await given("mkdir alone && sleep 0.3 && rmdir alone");
  const both = await Promise.all([1, 2].map(() => signalbox(["gate", "run", "1", "--db", db])));
  expect(both.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
  expect(existsSync(join(folder, "alone"))).toBe(false);
});
