import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { packagePath } from "../../src/lib/package-root.ts";
import { startSession } from "../../src/operations/sessions.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { comes, isThere } from "../gates/runner/given.ts";
import { signalbox } from "../support/cli.ts";
import { freshFolder, freshProject } from "../support/project.ts";

/*
 * Commands that run gates, stopped by real signals, and led to other folders. Catches: a command that outlives whoever ran it, a
 * trace instead of a sentence, and a gate that is run outside of the project.
 */
async function given(command: string) {
  const { project, folder } = await freshProject();
  await project.decide(createTask({ title: "Export", gates: [{ command, max: 3, timeout_s: 100 }] }));
  await project.decide(startSession({ task: 1, session: "s-1" }));
  return {
    project,
    folder,
    attempts: async () =>
      (await project.log.read(0, 100)).flatMap((event) =>
        event.type === "gate.attempted" ? [event.payload] : [],
      ),
    /** Starts the program, which ends with the test at the latest. */
    start(...args: string[]) {
      const child = spawn(process.execPath, [packagePath("bin/signalbox.js"), ...args], { cwd: folder });
      let stderr = "";
      child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
      const closed = once(child, "close");
      onTestFinished(() => void child.kill("SIGKILL"));
      return { child, said: () => stderr, closed };
    },
    /** The process id that the command has written, once it has. */
    async pid() {
      const path = join(folder, "pid");
      expect(await comes(() => existsSync(path) && readFileSync(path, "utf8").endsWith("\n"))).toBe(true);
      const pid = Number(readFileSync(path, "utf8"));
      onTestFinished(() => {
        if (isThere(pid)) process.kill(pid, "SIGKILL");
      });
      return pid;
    },
  };
}

const RUN = ["gate", "run", "1"];
const DONE = ["signal", "done", "--session", "s-1", "--summary", "All."];

test.each([
  ["SIGHUP", RUN],
  ["SIGHUP", DONE],
  ["SIGINT", RUN],
  ["SIGTERM", DONE],
] as const)(
  "%s, also when it comes again and again, ends the command of %j and is recorded",
  async (name, args) => {
    const { start, pid, attempts } = await given(
      "trap '' TERM HUP INT; echo $$ > pid; while :; do sleep 1; done",
    );
    const { child, closed } = start(...args);
    const shell = await pid();
    // All before the second has passed that its command gets to end by itself.
    for (let times = 0; times < 3; times++) {
      child.kill(name);
      await delay(50);
    }
    const [code, signal] = await closed;
    expect({ code, signal }).toEqual({ code: args === DONE ? 0 : 1, signal: null });
    expect(isThere(shell)).toBe(false);
    expect(await attempts()).toMatchObject([{ interrupted: true }]);
  },
);

test.each([
  ["SIGHUP", 129, RUN],
  ["SIGINT", 130, RUN],
  ["SIGTERM", 143, DONE],
] as const)(
  "%s while it waits for the folder ends with exit code %d and one line",
  async (name, code, args) => {
    const { start, pid, attempts } = await given("echo $$ > pid; while [ ! -e go ]; do sleep 0.05; done");
    start(...RUN);
    await pid();
    const waiting = start(...args);
    expect(await comes(() => waiting.said().includes("waiting for other gates"))).toBe(true);
    waiting.child.kill(name);
    expect(await waiting.closed).toEqual([code, null]);
    const [, ...lines] = waiting.said().trimEnd().split("\n");
    expect(lines).toEqual([`signalbox: Stopped by ${name}; no gate was being run. [stopped]`]);
    expect(await attempts()).toEqual([]);
  },
);

test.each([RUN, DONE])("with a RALPH_WORKSPACE outside the project, %s runs nothing", async (...args) => {
  const { folder, attempts } = await given("touch here");
  const outside = freshFolder();
  symlinkSync(outside, join(folder, "link"));
  for (const RALPH_WORKSPACE of [outside, join(folder, "link"), "relative"]) {
    const ran = await signalbox(args, { cwd: folder, env: { RALPH_WORKSPACE } });
    expect(ran).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("RALPH_WORKSPACE") });
  }
  expect(existsSync(join(outside, "here"))).toBe(false);
  expect(await attempts()).toEqual([]);
});

test("with a RALPH_WORKSPACE in the project, gates are run there", async () => {
  const { folder } = await given("touch here");
  const RALPH_WORKSPACE = join(folder, "part");
  mkdirSync(RALPH_WORKSPACE);
  expect(await signalbox(RUN, { cwd: folder, env: { RALPH_WORKSPACE } })).toMatchObject({ exitCode: 0 });
  expect(existsSync(join(RALPH_WORKSPACE, "here"))).toBe(true);
});
