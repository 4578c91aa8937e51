import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { turns } from "../lib/turns.ts";

interface Scratch {
  readonly folder: string;
  readonly made_ms: number;
  readonly inTurn: ReturnType<typeof turns>;
  /** Works in it that have not ended. */
  users: number;
  removal?: NodeJS.Timeout;
}

const scratches = new Map<string, Scratch>();

/**
 * Works in a scratch folder that is kept for some seconds, so that the next work under the same key
 * finds what this one left. One work under a key at a time.
 */
export async function inKeptScratch<Answer>(
  key: string,
  work: (folder: string) => Promise<Answer>,
): Promise<Answer> {
  const scratch = scratches.get(key) ?? make(key);
  clearTimeout(scratch.removal);
  scratch.users++;
  try {
    return await scratch.inTurn(() => work(scratch.folder));
  } finally {
    scratch.users--;
    if (scratch.users === 0) {
      const isOld = performance.now() - scratch.made_ms > OLD_MS;
      if (isOld) remove(key);
      else scratch.removal = setTimeout(() => remove(key), KEPT_MS).unref();
    }
  }
}

function make(key: string): Scratch {
  if (scratches.size === 0) process.once("exit", removeAll);
  const folder = mkdtempSync(join(tmpdir(), "signalbox-"));
  const scratch: Scratch = { folder, made_ms: performance.now(), inTurn: turns(), users: 0 };
  scratches.set(key, scratch);
  return scratch;
}

function remove(key: string): void {
  const folder = scratches.get(key)?.folder;
  scratches.delete(key);
  if (scratches.size === 0) process.off("exit", removeAll);
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
}

function removeAll(): void {
  for (const key of [...scratches.keys()]) remove(key);
}

/** Longer than a page waits before it asks again. */
const KEPT_MS = 10_000;
/** Every changed file leaves its former content in it. */
const OLD_MS = 600_000;
