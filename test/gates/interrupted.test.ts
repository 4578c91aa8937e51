import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { endGateRun } from "../../src/decisions/rules/gate-runs.ts";
import { resultFromElsewhere } from "../../src/events/types/command-result.ts";
import type { Draft, Event } from "../../src/events/types/index.ts";
import { interruptedRun, recordInterrupted } from "../../src/gates/interrupted.ts";
import { packagePath } from "../../src/lib/package-root.ts";
import { identityOf } from "../../src/lib/processes/identity.ts";
import { startSession } from "../../src/operations/sessions.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { type Child, useChild } from "../children.ts";
import { signalbox } from "../support/cli.ts";
import { freshProject } from "../support/project.ts";
import { comes, isThere } from "./runner/given.ts";

/*
 * Catches: a run without an end, two ends of one run, a command that outlives its runner, a runner that lives and is taken for dead.
 */
const runGates = useChild("test/gates/children/run-gates.ts");

/** Runs until it is ended, and writes down its processes. */
const LONG = "echo $$ > shell; sleep 600 & echo $! > sleeper; wait";

/** A task with a gate and an open session s-1. */
async function given(command = LONG) {
  const { project, folder, db } = await freshProject();
  await project.decide(createTask({ title: "Export", gates: [{ command, max: 3, timeout_s: 600 }] }));
  await project.decide(startSession({ task: 1, session: "s-1" }));
  const numberIn = (name: string) => Number(readFileSync(join(folder, name), "utf8"));
  /** Those of the gate's command that are there. */
  const left = () => ["shell", "sleeper"].map(numberIn).filter(isThere);
  return {
    ...{ project, folder, db, left },
    /** Starts a process that runs the gate, and waits until the command runs. */
    async runner(...args: readonly string[]): Promise<Child> {
      const child = runGates(folder, ...args);
      const written = (name: string) => existsSync(join(folder, name)) && numberIn(name) > 0;
      expect(await comes(() => written("shell") && written("sleeper"))).toBe(true);
      // A test that fails leaves nothing running.
      const pids = left();
      onTestFinished(() => {
        for (const pid of pids.filter(isThere)) process.kill(pid, "SIGKILL");
      });
      return child;
    },
    async ends(): Promise<readonly Event[]> {
      const events = await project.log.read(0, 200);
      return events.filter(({ type }) => type === "gate.attempted" || type === "gate.baselined");
    },
  };
}

const HELLO = [
  {
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } },
  },
  { method: "notifications/initialized" },
  { id: 2, method: "tools/call", params: { name: "stuck", arguments: { reason: "No host." } } },
]
  .map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
  .join("");

const openers: readonly (readonly [string, (db: string) => Promise<unknown>])[] = [
  ["a reading command", (db) => signalbox(["task", "list", "--db", db])],
  ["a listing of the log", (db) => signalbox(["log", "--db", db])],
  [
    "a server",
    (db) =>
      signalbox(["mcp"], {
        env: { RALPH_TASK_ID: "1", RALPH_SESSION_ID: "s-1", RALPH_DB_PATH: db },
        input: HELLO,
      }),
  ],
  ["a new loop", (db) => signalbox(["run", "--once", "--agent", "pretend", "--db", db])],
];

test.each(openers)(
  "the attempt of a killed runner is recorded as interrupted by %s, once, and its processes are ended",
  async (_who, open) => {
    const { runner, left, ends, db, project } = await given();
    await (await runner()).kill();
    expect(left()).toHaveLength(2);
    expect(await ends()).toEqual([]);
    await open(db);
    await open(db);
    expect(await ends()).toMatchObject([
      {
        type: "gate.attempted",
        actor: "driver",
        correlation: "s-1",
        payload: {
          ...{ task: 1, gate: 1, session: "s-1", command: LONG },
          ...{ interrupted: true, exit_code: null, explanation: "Its runner died before it finished." },
          left_behind: expect.arrayContaining([expect.objectContaining({ name: "sleep", ended: true })]),
        },
      },
    ]);
    expect(left()).toEqual([]);
    expect((await project.queries.task(1))?.gates).toMatchObject([{ state: "failed", attempts: 1 }]);
  },
);

test("two processes that open the log at once record it once", async () => {
  const { runner, left, ends, db } = await given();
  await (await runner()).kill();
  const both = await Promise.all([1, 2, 3].map(() => signalbox(["task", "list", "--db", db])));
  expect(both.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
  expect(await ends()).toHaveLength(1);
  expect(left()).toEqual([]);
});

test("the baseline of a killed runner is interrupted too, and is not an attempt", async () => {
  const { runner, ends, db, project } = await given();
  await (await runner("baseline")).kill();
  await signalbox(["task", "list", "--db", db]);
  expect(await ends()).toMatchObject([{ type: "gate.baselined", payload: { interrupted: true } }]);
  expect((await project.queries.task(1))?.gates).toMatchObject([{ state: "pending", attempts: 0 }]);
});

test("a runner that lives is left alone, and so is its command", async () => {
  const { runner, left, ends, db, project } = await given(`${LONG}; true`);
  const child = await runner();
  await signalbox(["task", "list", "--db", db]);
  expect(await recordInterrupted(project.store)).toBe(0);
  expect(await ends()).toEqual([]);
  expect(left()).toHaveLength(2);
  await child.kill();
  expect(await recordInterrupted(project.store)).toBe(1);
});

test.each([
  ["of another host", { ...identityOf(process.pid), host: "elsewhere" }],
  [
    "of another PID namespace, whose number is nobody's here",
    { ...identityOf(process.pid), pid: 2 ** 22, pid_namespace: "pid:[1]" },
  ],
  ["of which the system cannot tell whether it is the same", { host: identityOf(1).host, pid: process.pid }],
])("a runner %s is left alone", async (_what, { host, pid, ...began }) => {
  const { project, ends, db } = await given();
  await project.log.append([started({ host, pid, ...began })]);
  await signalbox(["task", "list", "--db", db]);
  expect(await ends()).toEqual([]);
});

test("a process that has got a dead runner's number does not pass for it", async () => {
  const { project, ends, db } = await given();
  await project.log.append([started({ ...identityOf(process.pid), began: "another boot 17" })]);
  await signalbox(["task", "list", "--db", db]);
  expect(await ends()).toMatchObject([{ payload: { interrupted: true } }]);
});

test("a late result changes nothing: the first end stays", async () => {
  const { runner, ends, project } = await given();
  await (await runner()).kill();
  expect(await recordInterrupted(project.store)).toBe(1);
  const start = (await project.log.read(0, 200)).find((event) => event.type === "gate.started");
  if (start?.type !== "gate.started") throw new Error("The run is not there.");
  const end = await endGateRun(project.store, start, resultFromElsewhere({ exit_code: 0 }));
  expect(end.payload).toMatchObject({ interrupted: true });
  expect(await ends()).toHaveLength(1);
  expect((await project.queries.task(1))?.gates).toMatchObject([{ state: "failed" }]);
});

test("who cannot write to the log reads it all the same, and the next one who can records it", async () => {
  const { runner, ends, db, folder } = await given();
  await (await runner()).kill();
  const files = ["", "-wal", "-shm"].map((end) => join(dirname(db), `events.db${end}`));
  const folders = [folder, join(folder, ".ralph"), dirname(db)];
  for (const path of folders) chmodSync(path, 0o555);
  for (const path of files) chmodSync(path, 0o444);
  const read = await asNobody(["task", "list", "--db", db]);
  expect(read).toMatchObject({ code: 0, stdout: expect.stringContaining("Export") });
  expect(await ends()).toEqual([]);
  for (const path of folders) chmodSync(path, 0o755);
  for (const path of files) chmodSync(path, 0o644);
  await signalbox(["task", "list", "--db", db]);
  expect(await ends()).toHaveLength(1);
});

function started(runner: object): Draft {
  const payload = {
    ...{ task: 1, gate: 1, session: "s-1", command: LONG, baseline: false },
    runner: { ...runner, mark: "0190a6c2-7a34-7c1e-8d52-3f9b6f0a4e11" },
  };
  // The runner's fields are what each test tries; the log checks them.
  return { type: "gate.started", actor: "driver", correlation: "s-1", payload } as Draft;
}

/** Runs the program as a user to whom rights apply. */
async function asNobody(args: readonly string[]): Promise<{ code: number; stdout: string }> {
  const rights = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const child = spawn(process.execPath, [packagePath("bin/signalbox.js"), ...args], {
    ...rights,
    env: { PATH: process.env.PATH ?? "" },
  });
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  const [code] = await once(child, "close");
  return { code, stdout };
}

test("a long explanation is cut between characters, as the log takes no half of one", () => {
  const { explanation } = interruptedRun(`${"a".repeat(999)}😀 and more`);
  expect(explanation).toHaveLength(1_000);
  expect((explanation ?? "").isWellFormed()).toBe(true);
});
