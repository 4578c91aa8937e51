import type { EventLog } from "../../events/log.ts";
import { didYouMean } from "../../lib/nearest.ts";
import { someOf } from "../../lib/some-of.ts";
import { question } from "../../read-model/question.ts";
import type { ReadModel } from "../../read-model/read-model.ts";
import { matching } from "./filter.ts";
import { readLog } from "./read-log.ts";
import { readFiltered } from "./subject-events.ts";
import { subjectsIn } from "./subjects.ts";

/**
 * The hint if no event has an actor; undefined if one has. Without a match, reads the whole log.
 */
export async function noSuchActor(log: EventLog, name: string): Promise<string | undefined> {
  const seen = new Set<string>();
  for await (const events of readLog(log, { from: 1, to: Number.POSITIVE_INFINITY })) {
    for (const { actor } of events) {
      if (actor === name) return undefined;
      if (seen.size < KEPT) seen.add(actor);
    }
  }
  return unknown(`No event has the actor "${name}".`, name, [...seen].sort());
}

/** The hint if no event names a session or happened during it; undefined if one did. */
export async function noSuchSession(
  log: EventLog,
  readModel: ReadModel,
  name: string,
): Promise<string | undefined> {
  const isThere = matching({ session: name }, subjectsIn(readModel));
  const all = { from: 1, to: readModel.position() };
  for await (const events of readFiltered(log, readModel, { session: name }, all)) {
    if (events.some(isThere)) return undefined;
  }
  const names = readModel.all(SESSIONS, {}).map(({ id }) => id);
  return unknown(`No event has the session "${name}".`, name, names);
}

function unknown(none: string, name: string, names: readonly string[]): string {
  const there = names.length === 0 ? "There are none yet." : `Known names: ${someOf(names)}.`;
  return `${none}${didYouMean(name, names)} ${there}`;
}

/** The names to compare a misspelt one with. */
const KEPT = 10_000;

const SESSIONS = question()((tables) => tables.selectFrom("sessions").select("id").orderBy("id").limit(KEPT));
