import { existsSync } from "node:fs";
import { expect, onTestFinished, test, vi } from "vitest";
import { inKeptScratch } from "../../src/workspace/kept-scratch.ts";

test("works under a key share a folder one after the other, and it is removed some seconds after the last", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const done: string[] = [];
  let open = () => {};
  const gate = new Promise<void>((resolve) => (open = resolve));
  const work = (key: string, name: string, waits?: Promise<void>) =>
    inKeptScratch(key, async (folder) => {
      await waits;
      done.push(name);
      return folder;
    });
  const first = work("a", "first", gate);
  const second = work("a", "second");
  const other = await work("b", "other");
  expect(done).toEqual(["other"]);
  open();
  const folder = await first;
  expect(await second).toBe(folder);
  expect(folder).not.toBe(other);
  expect(done).toEqual(["other", "first", "second"]);
  expect(await work("a", "third")).toBe(folder);
  await expect(inKeptScratch("a", () => Promise.reject(new Error("failed")))).rejects.toThrow("failed");
  expect(existsSync(folder)).toBe(true);
  vi.advanceTimersByTime(20_000);
  expect([folder, other].filter(existsSync)).toEqual([]);
});
