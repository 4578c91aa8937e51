import type { EventLog } from "../../events/log.ts";
import { nearest } from "../../nearest.ts";
import { readLog } from "./read-log.ts";

/**
 * What to say where no event is by an actor; undefined where one is. Reads until it finds one, so the whole log where
 * there is none.
 */
export async function noSuchActor(log: EventLog, actor: string): Promise<string | undefined> {
  const seen = new Set<string>();
  for await (const events of readLog(log, { from: 1, to: Number.POSITIVE_INFINITY })) {
    for (const event of events) if (seen.size < LISTED) seen.add(event.actor);
    if (events.some((event) => event.actor === actor)) return undefined;
  }
  const names = [...seen];
  const meant = nearest(actor, names);
  const guess = meant === undefined ? "" : ` Did you mean "${meant}"?`;
  const there = names.length === 0 ? "The log is empty." : `There are: ${names.sort().join(", ")}.`;
  return `No event is by "${actor}".${guess} ${there}`;
}

const LISTED = 100;
