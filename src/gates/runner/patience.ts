import { setTimeout as delay } from "node:timers/promises";

/** A promise's value, or undefined after `limit_ms`. */
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

/** Checks a condition repeatedly. False if it does not hold within `limit_ms`. */
export async function comesTrue(holds: () => boolean, limit_ms: number): Promise<boolean> {
  const end_ms = performance.now() + limit_ms;
  while (!holds()) {
    if (performance.now() >= end_ms) return false;
    await delay(LOOK_MS);
  }
  return true;
}

const LOOK_MS = 20;
