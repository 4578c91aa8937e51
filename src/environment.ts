import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { v7 } from "uuid";
import type { Environment } from "./events/environment.ts";
import { idFromKey } from "./events/ids.ts";

/** The machine's clock and randomness. */
export function systemEnvironment(): Environment {
  return {
    now: () => Date.now() * 1_000,
    newId: () => v7(),
    newSalt: () => randomBytes(16),
    jitter: () => Math.random(),
  };
}

/**
 * A fixed environment for replays: the time is what `now` says, ids and salts follow from the seed alone, so that the
 * same calls give the same log to the byte.
 */
export function replayEnvironment(seed: string, now: () => number): Environment {
  let ids = 0;
  return {
    now,
    newId: () => idFromKey(seed, "id", String(now()), String(ids++)),
    newSalt: (eventId) => Buffer.from(idFromKey(seed, "salt", eventId).replaceAll("-", ""), "hex"),
    jitter: () => 0.5,
  };
}

/**
 * The environment that a process was launched with. SIGNALBOX_REPLAY names a file with a seed and, on its second line,
 * the present in microseconds; whoever replays moves that time (src/replay). Without it, the system's.
 */
export function launchedEnvironment(variables: NodeJS.ProcessEnv): Environment {
  const file = variables[REPLAY_VARIABLE];
  if (!file) return systemEnvironment();
  const lines = () => readFileSync(file, "utf8").split("\n");
  return replayEnvironment(lines()[0] ?? "", () => Number(lines()[1]));
}

export const REPLAY_VARIABLE = "SIGNALBOX_REPLAY";
