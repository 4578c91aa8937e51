import fc from "fast-check";
import type { Event } from "../../src/events/types/index.ts";
import type { History } from "./commands.ts";
import { execute, openMemoryStore } from "./executor.ts";

/**
 * How a property is tried: on so many histories, or as many as SIGNALBOX_RUNS says. The properties of one file share
 * a seed, so that they are tried on the same histories, each of which is then executed once. SIGNALBOX_SEED fixes it.
 */
export function runs(byDefault: number) {
  return { numRuns: Number(process.env.SIGNALBOX_RUNS ?? byDefault), seed };
}

/**
 * Tries a property, and goes on with other histories until it has met what it is about: few histories may have none of it by chance.
 *
 * @throws also if it is not met in ten times as many
 */
export async function assertUntil<T>(
  property: fc.IAsyncProperty<T>,
  byDefault: number,
  hasMet: () => boolean,
): Promise<void> {
  const { numRuns, seed: first } = runs(byDefault);
  for (let batch = 0; batch < BATCHES && (batch === 0 || !hasMet()); batch++)
    await fc.assert(property, { numRuns, seed: first + batch });
  if (!hasMet())
    throw new Error(`${BATCHES * numRuns} histories have nothing of what the property is about.`);
}

const BATCHES = 10;

const [random] = fc.sample(fc.integer(), 1);
const seed = Number(process.env.SIGNALBOX_SEED ?? random);

const executed = new Map<string, Promise<readonly Event[]>>();

/** The log of a history that was executed in a store of its own, under a clock that stands still. */
export function eventsOf(history: History): Promise<readonly Event[]> {
  const key = JSON.stringify(history);
  const before = executed.get(key);
  if (before) return before;
  const events = eventsUnder(history);
  executed.set(key, events);
  return events;
}

/** The same under a clock of one's own. */
export async function eventsUnder(history: History, now?: () => number): Promise<readonly Event[]> {
  const store = openMemoryStore(now);
  await execute(store, history);
  const events = await store.log.read(0, 10_000);
  store.readModel.close();
  return events;
}
