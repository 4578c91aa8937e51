import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import type { LeftBehind } from "../../../src/events/types/command-result.ts";
import type { LockHolder } from "../../../src/gates/runner/lock-holder.ts";
import { withWorkspaceLock } from "../../../src/gates/runner/workspace-lock.ts";
import { identityOf } from "../../../src/lib/processes/identity.ts";
import { pruneRunFolders } from "../../../src/loop/run-folder.ts";
import { type Child, useChild } from "../../children.ts";
import { freshFolder } from "../../support/project.ts";
import { comes, isThere } from "./given.ts";

/*
 * One run at a time in one workspace, over all processes. Catches: two that have the lock at once, above all after a holder died; one
 * that nobody gets any more; and a command that outlives its runner beside the next one.
 */
const takeTurns = useChild("test/gates/runner/children/take-turns.ts");

async function begin(...children: readonly Child[]): Promise<void> {
  for (const child of children) expect(await child.says()).toBe("ready");
  for (const child of children) child.tell("go");
}

interface Entry {
  readonly word: string;
  readonly pid: number;
}

function entriesOf(journal: string): Entry[] {
  if (!existsSync(journal)) return [];
  return readFileSync(journal, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => ({ word: line.split(" ")[0] ?? "", pid: Number(line.split(" ")[1]) }));
}

/** The entries at which somebody came in while another one was in, who had not been killed by then. */
function intrusions(entries: readonly Entry[], killed: ReadonlySet<number> = new Set()): Entry[] {
  let inside: number | undefined;
  return entries.filter((entry, index) => {
    const before = inside;
    inside = entry.word === "in" ? entry.pid : undefined;
    if (entry.word === "out") return before !== entry.pid;
    // Of one that was killed nothing comes later.
    return (
      before !== undefined && !(killed.has(before) && !entries.slice(index).some(({ pid }) => pid === before))
    );
  });
}

/** Gets the lock, and with it what was said when it was taken over. */
async function takeover(folder: string, work: () => void = () => {}) {
  const said: { holder: LockHolder; ended: readonly LeftBehind[] }[] = [];
  await withWorkspaceLock(folder, async () => work(), {
    onTakeover: (holder, ended) => said.push({ holder, ended }),
  });
  return said;
}

function lockFile(folder: string): string {
  const run = join(folder, ".ralph", "run");
  return join(run, readdirSync(run).find((name) => name.endsWith(".lock")) ?? "none");
}

test("in one process, work on a workspace is done one after the other, and its results come back", async () => {
  const folder = freshFolder();
  let inside = 0;
  const results = await Promise.all(
    [1, 2, 3, 4, 5].map((number) =>
      withWorkspaceLock(folder, async () => {
        inside += 1;
        expect(inside).toBe(1);
        await delay(1);
        inside -= 1;
        return number;
      }),
    ),
  );
  expect(results).toEqual([1, 2, 3, 4, 5]);
});

test("of many processes one at a time is in, and each has all of its turns", async () => {
  const folder = freshFolder();
  const journal = join(folder, "journal");
  const children = Array.from({ length: 8 }, () => takeTurns(folder, journal, "10"));
  await begin(...children);
  await Promise.all(children.map((child) => child.finish()));
  const entries = entriesOf(journal);
  expect(intrusions(entries)).toEqual([]);
  expect(entries).toHaveLength(8 * 10 * 2);
});

test("a waiting process learns the lock's holder and purpose, and gets the lock when the holder is killed", async () => {
  const folder = freshFolder();
  const journal = join(folder, "journal");
  const holder = takeTurns(folder, journal, "1", "sleep 1000");
  await begin(holder);
  expect(await comes(() => entriesOf(journal).length === 1)).toBe(true);
  const waiter = takeTurns(folder, journal, "1");
  await begin(waiter);
  const { value } = await waiter.lines.next();
  expect(JSON.parse(String(value))).toMatchObject({ pid: holder.process.pid, purpose: "turn 1" });
  await holder.kill();
  await waiter.finish();
  expect(entriesOf(journal)).toEqual([
    { word: "in", pid: holder.process.pid },
    { word: "in", pid: waiter.process.pid },
    { word: "out", pid: waiter.process.pid },
  ]);
});

test("processes that race for a killed holder's lock never hold it together, even if they are killed too", async () => {
  const folder = freshFolder();
  const journal = join(folder, "journal");
  const children = Array.from({ length: 10 }, () => takeTurns(folder, journal, "100000"));
  await begin(...children);
  const killed = new Set<number>();
  for (let kill = 0; kill < 9; kill++) {
    const before = entriesOf(journal).length;
    expect(await comes(() => entriesOf(journal).length > before + 4)).toBe(true);
    // Whoever is in, so that those that wait race for what it leaves.
    const inside = entriesOf(journal).at(-1)?.pid;
    const victim = children.find(({ process }) => process.pid === inside);
    await victim?.kill();
    killed.add(inside ?? 0);
  }
  expect(killed.size).toBe(9);
  const before = entriesOf(journal).length;
  expect(await comes(() => entriesOf(journal).length > before + 4)).toBe(true);
  for (const child of children) await child.kill();
  expect(intrusions(entriesOf(journal), killed)).toEqual([]);
});

test.runIf(process.platform === "linux")(
  "a command that outlives its runner is ended before the next one has the workspace, and named",
  async () => {
    const folder = freshFolder();
    const holder = takeTurns(
      folder,
      join(folder, "journal"),
      "1",
      "echo $$ > id.new; mv id.new id; setsid sleep 1000; true",
    );
    await begin(holder);
    expect(await comes(() => existsSync(join(folder, "id")))).toBe(true);
    const id = Number(readFileSync(join(folder, "id"), "utf8"));
    onTestFinished(() => void (isThere(id) && process.kill(id, "SIGKILL")));
    await holder.kill();
    expect(isThere(id)).toBe(true);
    let there: boolean | undefined;
    const said = await takeover(folder, () => {
      there = isThere(id);
    });
    expect(there).toBe(false);
    expect(said).toMatchObject([{ holder: { pid: holder.process.pid, purpose: "turn 1" } }]);
    expect(said[0]?.ended.map(({ name }) => name).sort()).toEqual(["sh", "sleep"]);
    expect(await takeover(folder)).toEqual([]);
  },
);

test.runIf(process.platform === "linux")(
  "a holder whose pid was reused is dead; a running one is not",
  async () => {
    const folder = freshFolder();
    await takeover(folder);
    const note = (began: string | undefined) =>
      writeFileSync(
        `${lockFile(folder)}.holder`,
        JSON.stringify({
          ...identityOf(process.pid),
          ...(began !== undefined && { began }),
          runner: randomUUID(),
        }),
      );
    note("another-boot 1");
    expect(await takeover(folder)).toMatchObject([
      { holder: { pid: process.pid, began: "another-boot 1" }, ended: [] },
    ]);
    note(undefined);
    expect(await takeover(folder)).toEqual([]);
  },
);

test.runIf(process.platform === "linux")(
  "a process that is part of a dead runner's run does not kill itself",
  async () => {
    const folder = freshFolder();
    await takeover(folder);
    const runner = randomUUID();
    writeFileSync(
      `${lockFile(folder)}.holder`,
      JSON.stringify({ ...identityOf(process.pid), began: "another-boot 1", runner }),
    );
    vi.stubEnv("SIGNALBOX_GATE", `${runner}.${randomUUID()}`);
    onTestFinished(() => void vi.unstubAllEnvs());
    const part = spawn("sleep", ["1000"], { stdio: "ignore" });
    onTestFinished(() => void part.kill("SIGKILL"));
    await once(part, "spawn");
    expect(await takeover(folder)).toMatchObject([{ holder: { runner }, ended: [] }]);
    expect(isThere(part.pid ?? 0)).toBe(true);
  },
);

test("an unreadable note about the holder stops no one", async () => {
  const folder = freshFolder();
  await takeover(folder);
  writeFileSync(`${lockFile(folder)}.holder`, "{");
  expect(await takeover(folder)).toEqual([]);
});

test("work that fails gives the lock back, and its error is passed on", async () => {
  const folder = freshFolder();
  await expect(withWorkspaceLock(folder, () => Promise.reject(new Error("it failed")))).rejects.toThrow(
    "it failed",
  );
  expect(await takeover(folder)).toEqual([]);
  expect(existsSync(`${lockFile(folder)}.holder`)).toBe(false);
});

test("a process that gives up waiting does no work, and takes the lock from no one", async () => {
  const folder = freshFolder();
  const abort = new AbortController();
  const order: string[] = [];
  await withWorkspaceLock(folder, async () => {
    const waits = withWorkspaceLock(folder, async () => order.push("never"), {
      signal: abort.signal,
      onWait: () => abort.abort("no more"),
    });
    await expect(waits).rejects.toBe("no more");
    order.push("worked");
  });
  expect(order).toEqual(["worked"]);
});

test("a workspace has one lock by any path, and neighbouring workspaces have others", async () => {
  const runFolder = join(freshFolder(), ".ralph", "run");
  const [one, two] = [freshFolder(), freshFolder()];
  const link = join(freshFolder(), "link");
  symlinkSync(one, link);
  const waited: string[] = [];
  const abort = new AbortController();
  await withWorkspaceLock(
    one,
    async () => {
      await withWorkspaceLock(two, async () => waited.push("two works"), { runFolder });
      const linked = withWorkspaceLock(link, async () => waited.push("never"), {
        runFolder,
        signal: abort.signal,
        onWait: () => {
          waited.push("link waits");
          abort.abort("enough");
        },
      });
      await expect(linked).rejects.toBe("enough");
    },
    { runFolder },
  );
  expect(waited).toEqual(["two works", "link waits"]);
});

test("when old runs are removed, locks stay", async () => {
  const folder = freshFolder();
  await takeover(folder);
  const run = join(folder, ".ralph", "run");
  for (let number = 1; number <= 150; number++) {
    mkdirSync(join(run, `s-${number}`));
    writeFileSync(join(run, `s-${number}`, "prompt.md"), "");
  }
  pruneRunFolders(join(folder, ".ralph", "db", "ralph.db"), new Set());
  expect(existsSync(lockFile(folder))).toBe(true);
  expect(readdirSync(run).filter((name) => name.startsWith("s-"))).toHaveLength(100);
});
