import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { v7 } from "uuid";
import type { Environment } from "../lib/environment.ts";
import { idFromKey } from "../lib/ids.ts";

/** The machine's clock and randomness. */
export function systemEnvironment(): Environment {
  const random = randomBlocks();
  let last_ms = 0;
  let ofMillisecond = 0;
  return {
    now: () => Date.now() * 1_000,
    newId() {
      const now_ms = Date.now();
      ofMillisecond = now_ms === last_ms ? ofMillisecond + 1 : 0;
      last_ms = now_ms;
      // Ordered within a millisecond too: an index over ordered keys is cheap.
      return v7({ random: random(), msecs: now_ms, seq: ofMillisecond });
    },
    newSalt: random,
    elapsed_ms: () => performance.now(),
    jitter: () => Math.random(),
  };
}

/** Fetched a kilobyte at a time: single requests of 16 random bytes are expensive. */
function randomBlocks(): () => Buffer {
  let pool = randomBytes(0);
  let taken = 0;
  return () => {
    if (taken === pool.length) {
      pool = randomBytes(256 * BLOCK_BYTES);
      taken = 0;
    }
    taken += BLOCK_BYTES;
    return pool.subarray(taken - BLOCK_BYTES, taken);
  };
}

const BLOCK_BYTES = 16;

/**
 * A fixed environment for replays: the time comes from `now`, ids and salts derive from the seed,
 * so that the same calls give the same log, byte for byte.
 */
export function replayEnvironment(seed: string, now: () => number): Environment {
  let ids = 0;
  return {
    now,
    newId: () => idFromKey(seed, "id", String(now()), String(ids++)),
    newSalt: (eventId) => Buffer.from(idFromKey(seed, "salt", eventId).replaceAll("-", ""), "hex"),
    elapsed_ms: () => performance.now(),
    jitter: () => 0.5,
  };
}

/**
 * The environment that a process was launched with. SIGNALBOX_REPLAY names a file with a seed and,
 * on its second line, the present in microseconds, which the replayer advances (src/replay).
 * Without it, the system's.
 */
export function launchedEnvironment(variables: NodeJS.ProcessEnv): Environment {
  const file = variables[REPLAY_VARIABLE];
  if (!file) return systemEnvironment();
  const lines = () => readFileSync(file, "utf8").split("\n");
  return replayEnvironment(lines()[0] ?? "", () => Number(lines()[1]));
}

export const REPLAY_VARIABLE = "SIGNALBOX_REPLAY";
