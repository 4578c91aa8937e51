import { setTimeout as delay } from "node:timers/promises";

/** What a promise gives, or undefined where it has not come after `limit_ms`. */
export async function within<T>(promise: Promise<T>, limit_ms: number): Promise<T | undefined> {
  const over = new AbortController();
  try {
    return await Promise.race([
      promise,
      delay(limit_ms, undefined, { signal: over.signal }).catch(() => undefined),
    ]);
  } finally {
    over.abort();
  }
}

/** Looks again and again until something holds. False where it does not after `limit_ms`. */
export async function comesTrue(holds: () => boolean, limit_ms: number): Promise<boolean> {
  const end_ms = performance.now() + limit_ms;
  while (!holds()) {
    if (performance.now() >= end_ms) return false;
    await delay(LOOK_MS);
  }
  return true;
}

const LOOK_MS = 20;
