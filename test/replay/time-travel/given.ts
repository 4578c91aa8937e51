import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import fc from "fast-check";
import { readModelPathIn } from "../../../src/api/project.ts";
import type { EventLog } from "../../../src/events/log.ts";
import type { Event } from "../../../src/events/types/index.ts";
import { type Cache, type OnProgress, stateAt } from "../../../src/history/time-travel/state-at.ts";
import { histories } from "../../properties/commands.ts";
import { openMemoryStore } from "../../properties/executor.ts";
import { eventsOf } from "../../properties/runs.ts";
import { freshFolder } from "../../support/project.ts";

/** A history of some length, the same each time. */
export async function someEvents(): Promise<readonly Event[]> {
  const [longest] = fc
    .sample(histories, { numRuns: 20, seed: 7 })
    .sort((a, b) => b.commands.length - a.commands.length);
  if (!longest) throw new Error("There is no history.");
  return eventsOf(longest);
}

/** A log of its own in memory, with these events; at another time they are those of another log. */
export async function logOf(events: readonly Event[], now?: () => number): Promise<EventLog> {
  const { log, readModel } = openMemoryStore(now);
  readModel.close();
  if (events.length > 0) await log.append(events.map(({ position: _, ...event }) => event));
  return log;
}

/** The folder of a project that has nothing yet, which is removed after the test, and its cache. */
export function emptyPlace() {
  const path = readModelPathIn(freshFolder());
  mkdirSync(dirname(path), { recursive: true });
  const warnings: string[] = [];
  const progress: Parameters<OnProgress>[0][] = [];
  const cache: Cache = {
    readModelPath: path,
    warn: (sentence) => warnings.push(sentence),
    onProgress: (one) => progress.push(one),
  };
  return { path, cache, warnings, progress };
}

/** The content hash of the state at a position. */
export async function hashAt(...at: Parameters<typeof stateAt>): Promise<string> {
  const readModel = await stateAt(...at);
  try {
    return readModel.contentHash();
  } finally {
    readModel.close();
  }
}
