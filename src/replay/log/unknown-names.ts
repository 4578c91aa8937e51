import { someOf } from "../../decisions/some-of.ts";
import type { EventLog } from "../../events/log.ts";
import type { Event } from "../../events/types/index.ts";
import { nearest } from "../../nearest.ts";
import { readLog } from "./read-log.ts";
import { sessionOf } from "./subjects.ts";

/** What to say where no event is by an actor; undefined where one is. */
export function noSuchActor(log: EventLog, name: string): Promise<string | undefined> {
  return unknownName(log, name, ({ actor }) => actor, `No event is by "${name}".`);
}

/** What to say where no event names a session or happened in its course; undefined where one did. */
export function noSuchSession(log: EventLog, name: string): Promise<string | undefined> {
  return unknownName(log, name, sessionOf, `No event is of a session "${name}".`);
}

/** Reads until it finds the name, so the whole log where it is not there. */
async function unknownName(
  log: EventLog,
  name: string,
  nameIn: (event: Event) => string | undefined,
  none: string,
): Promise<string | undefined> {
  const seen = new Set<string>();
  for await (const events of readLog(log, { from: 1, to: Number.POSITIVE_INFINITY })) {
    for (const event of events) {
      const found = nameIn(event);
      if (found === name) return undefined;
      if (found !== undefined && seen.size < KEPT) seen.add(found);
    }
  }
  const names = [...seen];
  const meant = nearest(name, names);
  const guess = meant === undefined ? "" : ` Did you mean "${meant}"?`;
  const there = names.length === 0 ? "There are none yet." : `There are: ${someOf(names.sort())}.`;
  return `${none}${guess} ${there}`;
}

/** Names that a misspelt one is compared with. */
const KEPT = 10_000;
