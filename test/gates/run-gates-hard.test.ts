// @module-tag linux
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openProject } from "../../src/api/project.ts";
import { packagePath } from "../../src/lib/package-root.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { signalbox } from "../support/cli.ts";
import { freshFolder, freshProject, givenConfig } from "../support/project.ts";
import { comes, isThere } from "./runner/given.ts";

/*
 * Commands that do what no command should, run as a user runs them. Catches: a `gate run` that does not return, and a log that does
 * not say what was there. How each of them is ended is held in test/gates/runner.
 */
const linux = process.platform === "linux";

async function given(
  command: string,
  { timeout_s = 60, gates = {} }: { timeout_s?: number; gates?: object } = {},
) {
  const { project, folder } = await freshProject();
  await project.decide(createTask({ title: "Export", gates: [{ command, max: 3, timeout_s }] }));
  givenConfig(folder, { gates });
  const events = async () =>
    (await project.log.read(0, 100)).flatMap((event) =>
      event.type === "gate.started" || event.type === "gate.attempted" ? [event] : [],
    );
  return {
    folder,
    run: () => signalbox(["gate", "run", "1"], { cwd: folder }),
    events,
    /** What is recorded of the last attempt. */
    async attempt() {
      const last = (await events()).at(-1);
      if (last?.type !== "gate.attempted") throw new Error("no attempt is recorded");
      return last.payload;
    },
    /** The process id that the command has written to a file of this name; it is gone after the test. */
    idIn(name: string): number {
      const id = Number(readFileSync(join(folder, name), "utf8"));
      onTestFinished(() => {
        if (isThere(id)) process.kill(id, "SIGKILL");
      });
      return id;
    },
  };
}

/** A grandchild in a session of its own, which has nothing of the gate's open. */
const SETSID = `setsid sh -c 'echo $$ > .pid; mv .pid id; exec sleep 98765.25' </dev/null >/dev/null 2>&1 &
  until [ -s id ]; do sleep 0.02; done; echo fine`;

test.runIf(linux)("a grandchild that called setsid is killed, and named in the log", async () => {
  const { run, attempt, idIn } = await given(SETSID);
  expect(await run()).toMatchObject({ exitCode: 0 });
  const pid = idIn("id");
  expect(isThere(pid)).toBe(false);
  expect(await attempt()).toMatchObject({
    ...{ exit_code: 0, stdout: { head: "fine\n" }, isolation: "none" },
    left_behind: [{ pid, name: "sleep", ended: true }],
  });
});

test.runIf(linux)(
  "isolated, a grandchild that called setsid dies with its namespace, or nothing is run",
  async () => {
    const { run, events, attempt } = await given(SETSID.replace("98765.25", "98765.75"), {
      gates: { isolation: true },
    });
    const { exitCode, stderr } = await run();
    expect(processesOf("98765.75")).toEqual([]);
    if (exitCode === 3) {
      expect(stderr).toContain("Install bubblewrap");
      expect(await events()).toEqual([]);
    } else {
      expect(exitCode).toBe(0);
      expect(await attempt()).toMatchObject({ exit_code: 0, stdout: { head: "fine\n" }, left_behind: [] });
      expect(["bwrap", "unshare"]).toContain((await attempt()).isolation);
    }
  },
);

test("a child that keeps stdout open does not hold up the record, which names it", async () => {
  const { run, attempt, idIn } = await given("sleep 98765 & echo $! > id; echo fine");
  expect(await run()).toMatchObject({ exitCode: 0 });
  const pid = idIn("id");
  expect(isThere(pid)).toBe(false);
  expect(await attempt()).toMatchObject({ exit_code: 0, stdout: { head: "fine\n" } });
  if (linux) expect((await attempt()).left_behind).toEqual([{ pid, name: "sleep", ended: true }]);
});

test("output without end is ended at the time-out, and its head and tail are in the log", async () => {
  const { run, attempt } = await given("yes 'and on'", { timeout_s: 1 });
  expect(await run()).toMatchObject({ exitCode: 1 });
  const { stdout, ...result } = await attempt();
  expect(result).toMatchObject({
    timed_out: true,
    exit_code: null,
    explanation: expect.stringMatching(/^Timed out after 1 s/),
  });
  expect([stdout.head.length, stdout.tail.length]).toEqual([5_000, 5_000]);
  expect(stdout.omitted_characters).toBe(Number(stdout.bytes) - 10_000);
});

test("of 100 MB of output the log has head, tail and the hash of all of it", async () => {
  const { run, attempt } = await given(
    "echo begin; head -c 100000000 /dev/zero | tr '\\0' x; echo; echo end",
  );
  expect(await run()).toMatchObject({ exitCode: 0 });
  const { stdout } = await attempt();
  expect(stdout).toMatchObject({ bytes: 100_000_011, omitted_characters: 100_000_011 - 10_000 });
  expect(stdout.head).toMatch(/^begin\nx+$/);
  expect(stdout.tail).toMatch(/^x+\nend\n$/);
  const hash = createHash("sha256").update("begin\n");
  for (let part = 0; part < 100; part++) hash.update(Buffer.alloc(1_000_000, "x"));
  expect(stdout.sha256).toBe(hash.update("\nend\n").digest("hex"));
});

test("bytes that are no UTF-8 are counted in the log, and the hash is of the bytes as they came", async () => {
  const { run, attempt } = await given("printf '\\377ok\\303'");
  await run();
  expect((await attempt()).stdout).toEqual({
    head: "\ufffdok\ufffd",
    tail: "",
    omitted_characters: 0,
    invalid_sequences: 2,
    bytes: 4,
    sha256: createHash("sha256")
      .update(Buffer.from([0xff, 0x6f, 0x6b, 0xc3]))
      .digest("hex"),
  });
});

test("a command that is not there is a failed attempt, explained in the log", async () => {
  const { run, attempt } = await given("no-such-command-at-all --fast");
  expect(await run()).toMatchObject({ exitCode: 1 });
  expect(await attempt()).toMatchObject({
    exit_code: 127,
    explanation: expect.stringMatching(/^Exit code 127: a command was not found/),
    stderr: { head: expect.stringContaining("no-such-command-at-all") },
  });
});

test("a command that ignores TERM is killed at its time-out, and the log says so", async () => {
  const { run, attempt, idIn } = await given("trap '' TERM; echo $$ > id; while :; do sleep 1; done", {
    timeout_s: 1,
  });
  expect(await run()).toMatchObject({ exitCode: 1 });
  expect(isThere(idIn("id"))).toBe(false);
  expect(await attempt()).toMatchObject({ timed_out: true, signal: "SIGKILL", exit_code: null });
});

test("a command that kills its own process group is a failed attempt, and its runner lives to record it", async () => {
  const { run, attempt } = await given("sh -c 'echo last words; kill -KILL 0'");
  expect(await run()).toMatchObject({ exitCode: 1 });
  expect(await attempt()).toMatchObject({
    ...{ exit_code: null, signal: "SIGKILL", timed_out: false, interrupted: false },
    stdout: { head: "last words\n" },
  });
});

test("a command that kills its runner's process group is recorded as interrupted when the log is next opened, and its rest ended", async () => {
  const { folder, events, attempt, idIn } = await given(
    "sleep 98765 & echo $! > id; kill -9 -$PPID; sleep 98765",
  );
  // In a group of its own, so that it is nobody else's that is killed.
  const child = spawn(process.execPath, [packagePath("bin/signalbox.js"), "gate", "run", "1"], {
    cwd: folder,
    detached: true,
    stdio: "ignore",
  });
  expect(await once(child, "exit")).toEqual([null, "SIGKILL"]);
  expect((await events()).map(({ type }) => type)).toEqual(["gate.started"]);
  const pid = idIn("id");
  await (await openProject(folder)).close();
  expect((await events()).map(({ type }) => type)).toEqual(["gate.started", "gate.attempted"]);
  expect(await attempt()).toMatchObject({
    ...{ interrupted: true, exit_code: null },
    explanation: "Its runner died before it finished.",
  });
  if (linux) {
    expect(await comes(() => !isThere(pid))).toBe(true);
    expect((await attempt()).left_behind).toContainEqual({ pid, name: "sleep", ended: true });
  }
});

test("a gates folder outside the workspace is refused: nothing runs, nothing is recorded", async () => {
  const { folder, run, events } = await given("touch ran", { gates: { folder: "work" } });
  const outside = freshFolder();
  symlinkSync(outside, join(folder, "work"));
  const { exitCode, stderr } = await run();
  expect(exitCode).toBe(3);
  expect(stderr).toContain(outside);
  expect(readdirSync(outside)).toEqual([]);
  expect(await events()).toEqual([]);
});

test("a gates folder that links to another place in the workspace is accepted", async () => {
  const { folder, run, attempt } = await given("touch ran", { gates: { folder: "work" } });
  mkdirSync(join(folder, "real"));
  symlinkSync("real", join(folder, "work"));
  expect(await run()).toMatchObject({ exitCode: 0 });
  expect(existsSync(join(folder, "real", "ran"))).toBe(true);
  expect(await attempt()).toMatchObject({ exit_code: 0 });
});

test("two simultaneous runs of a gate are recorded one after the other", async () => {
  const { run, events } = await given("mkdir alone && sleep 0.2 && rmdir alone");
  expect((await Promise.all([run(), run()])).map(({ exitCode }) => exitCode)).toEqual([0, 0]);
  expect((await events()).map(({ type }) => type)).toEqual([
    ...["gate.started", "gate.attempted"],
    ...["gate.started", "gate.attempted"],
  ]);
  const [first, firstEnd, second, secondEnd] = await events();
  expect([firstEnd, secondEnd].map((end) => end?.type === "gate.attempted" && end.payload.started)).toEqual([
    first?.position,
    second?.position,
  ]);
});

/** The processes with this word in their command lines (Linux). */
function processesOf(word: string): string[] {
  return readdirSync("/proc").filter((entry) => {
    try {
      return /^\d+$/.test(entry) && readFileSync(`/proc/${entry}/cmdline`, "utf8").includes(`\0${word}\0`);
    } catch {
      return false;
    }
  });
}
