// @module-tag linux
import { execFileSync, spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { type CommandResult, commandResult, passes } from "../../../src/events/types/command-result.ts";
import { useBundle } from "../../children.ts";
import { freshFolder } from "../../support/project.ts";
import { comes, isThere, run, stdoutOf } from "./given.ts";

/*
 * What a command leaves running, and how it is ended. Catches: a run that never returns, a process that is still there after it, and
 * one that is ended without a word. Each command says its processes' ids, so that the test can look for them.
 */
const { path: runOne } = useBundle("test/gates/runner/children/run-one.ts");
const linux = process.platform === "linux";

/** The process ids that a command has printed, a line each; whatever becomes of the test, they are gone after it. */
function printedIds(result: CommandResult): number[] {
  const ids = stdoutOf(result).trim().split("\n").map(Number);
  onTestFinished(() => {
    for (const id of ids) if (isThere(id)) process.kill(id, "SIGKILL");
  });
  return ids;
}

test("a command that times out is ended with its whole process group, and fails", async () => {
  const result = await run("echo $$; sleep 1000 & echo $!; sleep 1000", { timeoutMs: 3_000 });
  const ids = printedIds(result);
  expect(result).toMatchObject({ signal: "SIGTERM", exit_code: null, timed_out: true, left_behind: [] });
  expect(result.explanation).toMatch(/^Timed out after 3 s: .*TERM.*KILL/);
  expect(passes(result)).toBe(false);
  expect(ids).toHaveLength(2);
  expect(ids.filter(isThere)).toEqual([]);
});

test("a command that ignores TERM is ended by KILL", async () => {
  const result = await run("trap '' TERM; echo $$; while :; do sleep 1; done", { timeoutMs: 3_000 });
  expect(result).toMatchObject({ signal: "SIGKILL", timed_out: true });
  expect(printedIds(result).filter(isThere)).toEqual([]);
});

test("a command has a second after TERM to clean up and print; its exit code 0 still fails", async () => {
  const folder = freshFolder();
  const result = await run("trap 'echo cleaned; : > clean; exit 0' TERM; while :; do sleep 0.05; done", {
    folder,
    timeoutMs: 3_000,
  });
  expect(result).toMatchObject({ exit_code: 0, timed_out: true, stdout: { head: "cleaned\n" } });
  expect(existsSync(join(folder, "clean"))).toBe(true);
  expect(passes(result)).toBe(false);
});

test("output without end is read until the time-out, and its head and tail are kept", async () => {
  const result = await run("yes 'and on'", { timeoutMs: 3_000 });
  expect(result).toMatchObject({ timed_out: true });
  expect(result.stdout.head).toMatch(/^and on\nand on\n/);
  expect(result.stdout.head).toHaveLength(5_000);
  expect(result.stdout.omitted_characters).toBe(result.stdout.bytes - 10_000);
});

test("an abort ends a command with all that it started", async () => {
  const folder = freshFolder();
  const abort = new AbortController();
  const running = run("echo $$; sleep 1000 & echo $!; : > started; wait", { folder, signal: abort.signal });
  expect(await comes(() => existsSync(join(folder, "started")))).toBe(true);
  abort.abort();
  const result = await running;
  expect(result).toMatchObject({ interrupted: true, timed_out: false, signal: "SIGTERM" });
  expect(result.explanation).toMatch(/cancelled/);
  expect(passes({ ...result, exit_code: 0 })).toBe(false);
  expect(printedIds(result).filter(isThere)).toEqual([]);
});

test("an abort after the end changes nothing", async () => {
  const abort = new AbortController();
  const result = await run("echo fine", { signal: abort.signal });
  abort.abort();
  expect(result).toMatchObject({ exit_code: 0, interrupted: false });
});

test("a child that keeps stdout open does not delay the run: it is killed and named", async () => {
  const result = await run("sleep 1000 & echo $!; exit 0");
  const [id = 0] = printedIds(result);
  expect(result).toMatchObject({ exit_code: 0, explanation: null });
  expect(isThere(id)).toBe(false);
  if (linux) expect(result.left_behind).toEqual([{ pid: id, name: "sleep", ended: true }]);
});

test("a child that has closed everything and ignores TERM is ended, and named", async () => {
  const result = await run(
    "sh -c 'trap \"\" TERM; : > ready; while :; do sleep 1; done' </dev/null >/dev/null 2>&1 & echo $!; until [ -e ready ]; do sleep 0.02; done",
  );
  const [id = 0] = printedIds(result);
  expect(result).toMatchObject({ exit_code: 0 });
  expect(isThere(id)).toBe(false);
  if (linux) expect(result.left_behind).toContainEqual({ pid: id, name: "sh", ended: true });
});

test("the last output is read even if a child still holds the pipe", async () => {
  const result = await run("sleep 1000 & head -c 200000 /dev/zero | tr '\\0' x; printf end");
  expect(result.stdout.bytes).toBe(200_003);
  expect(result.stdout.tail).toMatch(/xend$/);
});

test("a child that ends while the output is drained does not count as left behind", async () => {
  const result = await run("(while kill -0 $$ 2>/dev/null; do :; done; echo late) & echo early");
  expect(result).toMatchObject({ exit_code: 0, left_behind: [], stdout: { head: "early\nlate\n" } });
});

/** Tried again, since a machine that has much to do may stop the child for longer than it is waited for. */
test("output of a child right after the shell's end is waited for, and the child is not killed", {
  retry: 3,
}, async () => {
  const result = await run("(sleep 0.2; echo late) & echo early");
  expect(result).toMatchObject({ exit_code: 0, left_behind: [], stdout: { head: "early\nlate\n" } });
});

test.runIf(linux).each([
  ["that called setsid", "setsid sh -c 'echo $$ > id; sleep 1000'", /^(sh|sleep)$/],
  [
    "that called setsid and closed everything",
    "setsid sh -c 'echo $$ > id; exec sleep 1000 </dev/null >/dev/null 2>&1'",
    /^sleep$/,
  ],
  ["in a group of its own", "set -m; sh -c 'echo $$ > id; exec sleep 1000'", /^sleep$/],
  [
    "in its session with an empty environment",
    "env -i sh -c 'echo $$ > id; exec /bin/sleep 1000'",
    /^sleep$/,
  ],
])("a grandchild %s is found when the command has ended, killed and named", async (_what, start, name) => {
  const result = await run(`${start} & until [ -s id ]; do sleep 0.02; done; cat id`);
  const [id = 0] = printedIds(result);
  expect(result).toMatchObject({ exit_code: 0, timed_out: false });
  expect(isThere(id)).toBe(false);
  expect(result.left_behind.find(({ pid }) => pid === id)).toMatchObject({
    name: expect.stringMatching(name),
    ended: true,
  });
});

test.runIf(linux)(
  "a grandchild that called setsid is found after a time-out too, killed and named, also with an empty environment",
  async () => {
    const folder = freshFolder();
    const result = await run(
      "setsid env -i sh -c 'echo $$ >> ids; exec /bin/sleep 1000' & setsid sleep 1000 & echo $! >> ids; wait",
      { folder, timeoutMs: 3_000 },
    );
    const ids = readFileSync(join(folder, "ids"), "utf8").trim().split("\n").map(Number);
    expect(result).toMatchObject({ timed_out: true });
    expect(ids).toHaveLength(2);
    expect(ids.filter(isThere)).toEqual([]);
    expect(result.left_behind.map(({ pid }) => pid).sort()).toEqual(ids.sort());
  },
);

test.runIf(linux)(
  "the outer run finds the processes left by an inner one, even if the inner runner was killed",
  async () => {
    const folder = freshFolder();
    writeFileSync(join(folder, "inner"), "setsid sleep 1000 & echo $! > id; kill -KILL $PPID; sleep 1000");
    const result = await run(`'${process.execPath}' '${runOne}' . "$(cat inner)"; cat id`, { folder });
    const [id = 0] = printedIds(result);
    expect(isThere(id)).toBe(false);
    expect(result.exit_code).toBe(0);
    expect(result.left_behind).toContainEqual({ pid: id, name: "sleep", ended: true });
    expect(result.left_behind.map(({ name }) => name).sort()).toEqual(["sh", "sleep", "sleep"]);
  },
);

test.runIf(linux)("processes of others are left alone", async () => {
  const bystander = spawn("sleep", ["1000"], { detached: true, stdio: "ignore" });
  onTestFinished(() => void bystander.kill("SIGKILL"));
  const result = await run("setsid sleep 1000 & sleep 1000 & exit 0");
  expect(result.left_behind).toHaveLength(2);
  expect(isThere(bystander.pid ?? 0)).toBe(true);
});

test.runIf(linux)("many that are left behind are all ended, and the first fifty named", async () => {
  const result = await run("for i in $(seq 60); do setsid sleep 1000 & echo $!; done");
  const ids = printedIds(result);
  expect(ids).toHaveLength(60);
  expect(ids.filter(isThere)).toEqual([]);
  expect(result.left_behind).toHaveLength(50);
});

test.runIf(linux)(
  "a process that cannot be killed is named, and does not delay the run",
  { tags: "root" },
  async (context) => {
    const folder = mkdtempSync("/var/tmp/signalbox-test-");
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    chmodSync(folder, 0o777);
    // By it nobody starts a process of root, which nobody may end.
    const asRoot = join(folder, "as-root");
    copyFileSync(execFileSync("which", ["setpriv"], { encoding: "utf8" }).trim(), asRoot);
    chmodSync(asRoot, 0o4755);
    const asNobody = [
      "--reuid",
      "65534",
      "--regid",
      "65534",
      "--clear-groups",
      process.execPath,
      runOne,
      folder,
    ];
    const { status, stdout, stderr } = spawnSync(
      "setpriv",
      [...asNobody, "./as-root --reuid 0 --regid 0 --clear-groups sleep 1000 & echo $!"],
      { encoding: "utf8" },
    );
    context.skip(status !== 0, `another user cannot run the test's program here: ${stderr}`);
    const { result } = z.object({ result: commandResult }).parse(JSON.parse(stdout));
    const [id = 0] = printedIds(result);
    expect(isThere(id)).toBe(true);
    expect(result).toMatchObject({ exit_code: 0, left_behind: [{ pid: id, name: "sleep", ended: false }] });
  },
);
