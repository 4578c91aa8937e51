import type { Store } from "../../decisions/store.ts";
import { logUntil } from "./log-until.ts";
import { type Point, pointAt } from "./point-at.ts";
import { type Cache, stateAt } from "./state-at.ts";

/**
 * A project's log and read model at a point, for all readers: the log ends there, its clock stands
 * there, and appending is refused.
 *
 * @param when as `pointAt` parses it
 * @returns the store, whose read model the caller closes; the underlying log stays open
 * @throws PointError; Refusal `not_found`
 */
export async function pastStore(
  { log, environment }: Pick<Store, "log" | "environment">,
  when: string,
  cache?: Cache,
): Promise<{ store: Store; point: Point }> {
  const point = await pointAt(log, when, environment.now());
  const store: Store = {
    log: logUntil(log, point.position),
    readModel: await stateAt(log, point.position, cache),
    environment: { ...environment, now: () => point.moment },
  };
  return { store, point };
}
