import { type ChildProcess, execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { darwin } from "../../src/lib/platform/darwin.ts";
import { usePlatform } from "../../src/lib/platform/here.ts";
import { linux } from "../../src/lib/platform/linux.ts";
import type { Platform } from "../../src/lib/platform/platform.ts";
import { endGroup } from "../../src/lib/processes/group.ts";
import { freshFolder } from "../support/project.ts";
import { fakeWindows } from "./fake-windows.ts";

/*
 * One contract for three systems. Linux is tried as it is. macOS is tried on this system's own processes, with this system's
 * `ps`. Windows is answered by a stand-in (fake-windows.ts), as PowerShell and taskkill would answer.
 */
const real = process.platform === "linux" && existsSync("/bin/ps");
/** What procps calls otherwise than macOS does; and the boot, of which only macOS's sysctl tells in this way. */
const procps = (file: string, args: readonly string[]): string =>
  file.endsWith("sysctl")
    ? "5F2B6C1E-0000-4000-8000-000000000000\n"
    : execFileSync(
        file,
        args.flatMap((word) =>
          word === "-E" ? [] : word === "-A" && args.includes("-E") ? ["axe"] : [word],
        ),
        {
          encoding: "utf8",
          env: { LC_ALL: "C", TZ: "UTC0" },
          maxBuffer: 2 ** 28,
        },
      );

const systems: readonly (readonly [string, () => Platform])[] = [
  ["linux", linux],
  ["darwin", () => darwin(procps)],
  ["win32", () => fakeWindows().platform],
];

describe.runIf(real).each(systems)("on %s", (system, make) => {
  const here = make();
  const { groups, processes } = here;

  /** Starts a shell's commands as a group, with a variable; ended with the test. */
  async function started(commands: string, more: { inputFile?: string; pidFile?: string } = {}) {
    const child = groups.start({
      ...{ file: "/bin/sh", args: ["-c", commands], folder: "/", ...more },
      environment: { PATH: process.env.PATH, RALPH_SESSION_ID: "s 1" },
    });
    const group = child.pid ?? 0;
    onTestFinished(() => groups.signal(group, "SIGKILL"));
    const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
    return { child, group, exited, said: lineOf(child) };
  }

  test("it says which system it is", () => {
    expect(here.system).toBe(system);
    expect(here.isolates).toBe(system === "linux");
  });

  test("the table has a program that was started, with its parent, group and name", async () => {
    const { group, said } = await started("sleep 1000 & echo $!; wait");
    const pid = Number(await said);
    // The shell's child becomes it a moment later. Linux's own table, since Windows keeps an entry for a while.
    await expect.poll(() => linux().processes.entry(pid)?.name).toBe("sleep");
    const table = processes.table();
    const entry = table.find((one) => one.pid === pid);
    expect(entry).toMatchObject({ pid, group, name: "sleep", ended: false });
    expect(table.find((one) => one.pid === group)).toMatchObject({ group });
    expect(processes.entry(pid)).toMatchObject({ pid, name: "sleep", began: entry?.began });
    expect(Number(entry?.began)).toBeGreaterThanOrEqual(Number(processes.entry(1)?.began));
    expect(table.find((one) => one.pid === process.pid)?.began).toBe(processes.entry(process.pid)?.began);
  });

  test("a process that is not there has no entry", () => {
    expect(processes.entry(2 ** 22 + 1)).toBeUndefined();
  });

  test("a variable of its environment tells whose a process is", async () => {
    const { group, said } = await started("echo on; cat; sleep 1000");
    await said;
    expect(processes.variables("RALPH_SESSION_ID")(group)).toBe("s 1");
    expect(processes.variables("RALPH_NOTHING")(group)).toBeUndefined();
    expect(processes.variables("RALPH_SESSION_ID")(1)).toBeUndefined();
  });

  test("the boot has a name, which stays the same", () => {
    expect(processes.boot()).toMatch(/^\S+$/);
    expect(make().processes.boot()).toBe(processes.boot());
  });

  test("a group reads its input, has its number on disk before it begins, and keeps its exit code", async () => {
    const folder = freshFolder();
    const [inputFile, pidFile] = [join(folder, "input"), join(folder, "pid")];
    writeFileSync(inputFile, "the prompt\n");
    const { group, exited, said } = await started(`cat; test -s '${pidFile}' && exit 7`, {
      inputFile,
      pidFile,
    });
    expect(await said).toBe("the prompt");
    expect(await exited).toBe(7);
    expect(Number(readFileSync(pidFile, "utf8"))).toBe(group);
  });

  test("a group is ended with all that it has started", async () => {
    usePlatform(here);
    onTestFinished(() => usePlatform(undefined));
    const { group, exited, said } = await started(
      "sleep 1000 & echo $!; trap '' TERM; while :; do sleep 1; done",
    );
    const pid = Number(await said);
    expect([groups.isThere(group), groups.hasMembers(group)]).toEqual([true, true]);
    await endGroup(group, 50);
    await exited;
    expect(groups.hasMembers(group)).toBe(false);
    // On Windows the group has ended when its leader has; the system ends the rest a moment later.
    await expect.poll(() => linux().processes.entry(pid)?.ended ?? true).toBe(true);
  });

  test("a signal to a group that is gone does nothing", () => {
    expect(() => groups.signal(2 ** 22 + 1, "SIGTERM")).not.toThrow();
    expect(groups.isThere(2 ** 22 + 1)).toBe(false);
  });

  test("a program that is not there does not begin", async () => {
    const child = groups.start({
      ...{ file: "/nowhere/agent", args: ["a b"], folder: "/", environment: {} },
      pidFile: join(freshFolder(), "pid"),
    });
    expect(await new Promise((resolve) => child.once("exit", resolve))).toBe(127);
  });
});

afterAll(() => usePlatform(undefined));

/** The first line of a program's output. */
function lineOf({ stdout }: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    stdout?.on("data", (data) => {
      text += data;
      if (text.includes("\n")) resolve(text.split("\n")[0] ?? "");
    });
  });
}
