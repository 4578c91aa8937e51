import { EventEmitter } from "node:events";
import { type FSWatcher, rmSync, watch, writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { watchForCommits } from "../../src/events/file-watch.ts";
import { givenPath } from "./log-file.ts";

/*
 * The system's notices are real, the time is not. Catches: a look that is missed, a folder that is watched for ever, a
 * log that cannot be followed where the system gives no notices.
 */
const FALLBACK_MS = 250;

/** Counts the looks at a log; the time stands still but for `pass`. */
function givenWatched(path = givenPath()) {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "setTimeout", "clearTimeout", "Date"] });
  onTestFinished(() => void vi.useRealTimers());
  let looks = 0;
  const subscription = watchForCommits(path).subscribe(() => {
    looks += 1;
  });
  onTestFinished(() => subscription.unsubscribe());
  return {
    path,
    subscription,
    looksAfter(time_ms: number): number {
      looks = 0;
      vi.advanceTimersByTime(time_ms);
      return looks;
    },
  };
}

/** Writes a file and waits for the system to tell of it; who began to watch before has been told then. */
async function writeAndHear(path: string): Promise<void> {
  const own = watch(dirname(path));
  const heard = new Promise<void>((resolve) => {
    own.on("change", (_change, file) => file === basename(path) && resolve());
  });
  writeFileSync(path, "written");
  await heard;
  own.close();
}

/** How many folders this process watches, once those that were let go of are gone. */
async function watchers(): Promise<number> {
  for (const _turn of ["close", "closed"]) await nextTurn();
  return process.getActiveResourcesInfo().filter((kind) => kind === "FSEventWrap").length;
}

test("each write to the journal triggers eight checks, a write to another file none", async () => {
  const { path, looksAfter } = givenWatched();
  await writeAndHear(`${path}-shm`);
  expect(looksAfter(20)).toBe(0);
  await writeAndHear(`${path}-wal`);
  expect(looksAfter(20)).toBe(8);
});

test("without any notice there is a look every quarter of a second", () => {
  const { looksAfter } = givenWatched();
  expect(looksAfter(FALLBACK_MS * 4)).toBe(4);
});

test("unsubscribing releases the folder", async () => {
  const before = await watchers();
  const { subscription } = givenWatched();
  expect(await watchers()).toBe(before + 1);
  subscription.unsubscribe();
  expect(await watchers()).toBe(before);
});

test("a folder that cannot be watched is checked regularly, and released", () => {
  const path = givenPath();
  rmSync(dirname(path), { recursive: true });
  const { subscription, looksAfter } = givenWatched(path);
  expect(looksAfter(FALLBACK_MS)).toBe(1);
  expect(() => subscription.unsubscribe()).not.toThrow();
});

test("a failed watcher is released, and the folder is checked regularly", async () => {
  const before = await watchers();
  const listened = vi.spyOn(EventEmitter.prototype, "on");
  onTestFinished(() => listened.mockRestore());
  const { looksAfter } = givenWatched();
  const index = listened.mock.calls.findIndex(([event]) => event === "error");
  // The watcher that the subscription has made: nobody else can reach it.
  const watcher = listened.mock.contexts[index] as FSWatcher;
  expect(await watchers()).toBe(before + 1);
  watcher.emit("error", new Error("too many watchers"));
  expect(await watchers()).toBe(before);
  expect(looksAfter(FALLBACK_MS)).toBe(1);
});
