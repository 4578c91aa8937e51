import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { expect, onTestFinished, test } from "vitest";
import { openProject } from "../../src/api/project.ts";
import { stateVariables } from "../../src/config/state-folder.ts";
import { packagePath } from "../../src/lib/package-root.ts";
import { startSession } from "../../src/operations/sessions.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { signalbox, signalboxJson } from "../support/cli.ts";
import { callTool } from "../support/mcp.ts";
import { freshProject } from "../support/project.ts";
import { CALLS, requestLine } from "./eras/call-lines.ts";

/* Catches: what holds in one process only; gates that outlive their server; a stopped server that does not end while a gate runs; a call that its client's leaving cuts short. */

async function given(...commands: string[]) {
  const { project, folder, db } = await freshProject();
  const gates = commands.map((command) => ({ command, max: 3, timeout_s: 60 }));
  for (const id of [1, 2]) {
    await project.decide(createTask({ title: `Task ${id}`, gates }));
    await project.decide(startSession({ task: id, session: `s-${id}` }));
  }
  const attempts = async () =>
    (await project.log.read(0, 100)).flatMap((event) =>
      event.type === "gate.attempted" ? [event.payload] : [],
    );
  return { project, folder, db, attempts };
}

/** An agent's client at a server process. */
async function serverOf(db: string, task: number, more: Record<string, string> = {}) {
  const agent = new Client({ name: "test", version: "1" });
  const env = { RALPH_TASK_ID: String(task), RALPH_SESSION_ID: `s-${task}`, RALPH_DB_PATH: db };
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [packagePath("bin/signalbox.js"), "mcp"],
    env: { PATH: process.env.PATH ?? "", ...stateVariables(process.env), ...env, ...more },
  });
  onTestFinished(() => agent.close());
  await agent.connect(transport);
  return { agent, pid: transport.pid ?? 0, close: () => agent.close() };
}

const DONE = { summary: "All." };

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await delay(20);
}

test("a server process runs a done's gates in the project's folder, without its own variables", async () => {
  const { db, folder, attempts } = await given("pwd > where; env");
  const preload = join(folder, "preload.cjs");
  writeFileSync(preload, "");
  const { agent } = await serverOf(db, 1, { NODE_OPTIONS: `--require ${preload}`, API_KEY: "hush" });
  expect((await callTool(agent, "done", DONE)).structured).toMatchObject({ verified: true });
  expect(readFileSync(join(folder, "where"), "utf8").trim()).toBe(folder);
  const [attempt] = await attempts();
  expect(attempt?.stdout.head).not.toMatch(/hush|NODE_OPTIONS|RALPH_/);
});

test("the gates of two sessions in one folder are run one after the other", async () => {
  const { db, attempts } = await given("mkdir alone && sleep 0.5 && rmdir alone");
  const agents = await Promise.all([serverOf(db, 1), serverOf(db, 2)]);
  const answers = await Promise.all(agents.map(({ agent }) => callTool(agent, "done", DONE)));
  expect(answers.map(({ structured }) => structured)).toMatchObject([{ verified: true }, { verified: true }]);
  expect(await attempts()).toMatchObject([{ exit_code: 0 }, { exit_code: 0 }]);
});

/** A server process that is spoken to line by line. */
function rawServerOf(db: string) {
  const child = spawn(process.execPath, [packagePath("bin/signalbox.js"), "mcp"], {
    env: environmentOf(db),
    stdio: ["pipe", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await exited;
  });
  return { child, exited };
}

const environmentOf = (db: string) => ({
  ...{ PATH: process.env.PATH ?? "", RALPH_TASK_ID: "1", RALPH_SESSION_ID: "s-1", RALPH_DB_PATH: db },
  ...stateVariables(process.env),
});

test.each([
  ["done", "2025-06-18"],
  ["done", "2026-07-28"],
  ["verify", "2025-06-18"],
  ["verify", "2026-07-28"],
] as const)(
  "a client that closes stdin right after `%s`, in MCP %s, stops no gate, and the call is answered",
  async (name, version) => {
    const { db, attempts } = await given("sleep 1", "true");
    const input = CALLS[version](name, name === "done" ? DONE : {});
    const ran = await signalbox(["mcp"], { env: environmentOf(db), input });
    expect(ran).toMatchObject({ exitCode: 0, stderr: "" });
    expect(JSON.parse(ran.stdout.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({
      id: 2,
      result: { structuredContent: { verified: true } },
    });
    expect(await attempts()).toMatchObject([
      { gate: 1, exit_code: 0, interrupted: false },
      { gate: 2, exit_code: 0, interrupted: false },
    ]);
  },
);

test("calls that wait behind a done whose client has gone are recorded, and their gates run", async () => {
  const { project, db, attempts } = await given("sleep 0.5; test -f fixed", "touch fixed; exit 1");
  const { child, exited } = rawServerOf(db);
  // Nobody reads the answers either.
  child.stdout.destroy();
  child.stdin.end(CALLS["2025-06-18"]("done", DONE) + requestLine(3, "done", { summary: "Now it is." }));
  expect(await exited).toEqual([0, null]);
  expect(await attempts()).toMatchObject([
    { gate: 1, exit_code: 1, interrupted: false },
    { gate: 2, exit_code: 1, interrupted: false },
    { gate: 1, exit_code: 0, interrupted: false },
    { gate: 2, exit_code: 1, interrupted: false },
  ]);
  const types = (await project.log.read(0, 100)).map(({ type }) => type);
  expect(types.filter((type) => type === "signal.done")).toHaveLength(2);
});

test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
  "%s stops a server's running gate, also after its client closed stdin, and the gate is recorded as interrupted",
  async (signal) => {
    const { db, folder, attempts } = await given(
      "echo begun; touch begun; sleep 60; touch ended",
      "touch second",
    );
    const { child, exited } = rawServerOf(db);
    child.stdin.end(CALLS["2025-06-18"]("done", DONE));
    await until(() => existsSync(join(folder, "begun")));
    child.kill(signal);
    expect(await exited).toEqual([0, null]);
    expect(await attempts()).toMatchObject([{ gate: 1, interrupted: true, stdout: { head: "begun\n" } }]);
    expect(existsSync(join(folder, "ended"))).toBe(false);
    expect(existsSync(join(folder, "second"))).toBe(false);
  },
);

test("a gate whose server was killed is recorded as interrupted when the log is next opened, and its command is ended", async () => {
  const { db, folder, attempts } = await given("echo $$ > begun; sleep 60");
  const { agent, pid } = await serverOf(db, 1);
  void callTool(agent, "verify", {}).catch(() => "gone");
  await until(() => existsSync(join(folder, "begun")) && readFileSync(join(folder, "begun"), "utf8") !== "");
  process.kill(pid, "SIGKILL");
  const shell = Number(readFileSync(join(folder, "begun"), "utf8"));
  await until(() => !isThere(pid));
  expect(await attempts()).toEqual([]);
  await (await openProject(folder)).close();
  expect(await attempts()).toMatchObject([{ gate: 1, session: "s-1", interrupted: true, exit_code: null }]);
  await until(() => !isThere(shell));
  expect((await signalboxJson(["gate", "list", "1"], { cwd: folder })) as unknown).toMatchObject([
    { gate: 1, state: "failed", attempts: 1, last_interrupted: 1 },
  ]);
});

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test("signal done runs the gates as the tool does, for agents without MCP", async () => {
  const { folder, attempts } = await given("test -f fixed");
  const said = await signalbox(["signal", "done", "--session", "s-1", "--summary", "All."], { cwd: folder });
  expect(said).toMatchObject({ exitCode: 0 });
  expect(said.stdout).toContain("## Shell Verification FAILED (Attempt 1/3)");
  expect(said.stdout).toContain("Recorded, but not verified; the session is still open.");
  expect(said.stderr).toContain("gate 1: test -f fixed");
  writeFileSync(join(folder, "fixed"), "");
  const args = ["signal", "done", "--session", "s-1", "--summary", "All.", "--key", "k"];
  const fixed = await signalboxJson(args, { cwd: folder });
  expect(fixed).toMatchObject({ verified: true, gates: [{ run: true }] });
  // Sent again under its key, nothing is run again.
  expect(await signalboxJson(args, { cwd: folder })).toMatchObject({
    verified: true,
    gates: [{ run: false }],
  });
  expect(await attempts()).toHaveLength(2);
});

test("a replay runs no gate: the replayer records the results", async () => {
  const { db, folder } = await given("touch ran");
  const replay = join(folder, "replay");
  writeFileSync(replay, "seed\n1767225600000000\n");
  const { agent } = await serverOf(db, 1, { SIGNALBOX_REPLAY: replay });
  const done = await callTool(agent, "done", DONE);
  expect(done.structured).toMatchObject({ next: expect.stringContaining("Not verified yet: gate 1") });
  expect((await callTool(agent, "verify", {})).text).toContain("This server does not run gates.");
  expect(existsSync(join(folder, "ran"))).toBe(false);
});
