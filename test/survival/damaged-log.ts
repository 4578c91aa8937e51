import { hash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";
import type { EventLog } from "../../src/events/log.ts";
import { copyLog } from "../../src/events/sqlite-backup.ts";
import { openSqliteLog } from "../../src/events/sqlite-log.ts";
import type { Event } from "../../src/events/types/index.ts";
import { LogError } from "../../src/lib/log-error.ts";
import { comment, environmentAt, everythingIn, NOON } from "../events/given.ts";
import type { Figures } from "./campaign.ts";

export interface Expected {
  readonly events: readonly Event[];
  /** The log may end here, too: a commit in a damaged journal is as if it had not been. */
  readonly ends: readonly number[];
}

/**
 * Holds a log that may be damaged to the promise: whatever is asked of it, the answer is right or a LogError that names
 * the file, and a log whose damage was seen is not written to.
 *
 * Some damage hides until the whole file is looked at: an index that lacks an entry, or one page in the place of
 * another, which may hide the last events. What is read is right even then; a backup looks at all of it, and is refused.
 */
export async function checkLog(path: string, expected: Expected): Promise<Figures> {
  const before = contentOf(path);
  let seen: Seen;
  try {
    seen = await readAll(path, expected);
  } catch (error) {
    if (!(error instanceof HiddenDamage)) throw error;
    await expect(copyLog(path, `${path}.copy`), error.message).rejects.toMatchObject({ code: "damaged" });
    expect(contentOf(path), "what was read, or refused, leaves the file as it is").toBe(before);
    return { found_by_backup: 1 };
  }
  expect(contentOf(path), "what was read, or refused, leaves the file as it is").toBe(before);
  if (seen.damage) return { found: 1 };
  const { events } = expected;
  const kept = events.slice(0, seen.end);
  const log = open(path);
  let added: readonly Event[];
  try {
    added = (await log.append([comment("after the damage", 3)])).events;
  } catch (error) {
    checkError(error, path);
    await log.close();
    expect(contentOf(path), "a refused append leaves the file as it is").toBe(before);
    return { found_on_append: 1 };
  }
  await log.close();
  const after = await readAll(path, { events: [...kept, ...added], ends: [kept.length + 1] });
  expect(after.damage, "an append made nothing worse").toBeUndefined();
  return kept.length === events.length ? { whole: 1 } : { shortened: 1 };
}

/** What was found is right, and not all that there was. */
class HiddenDamage extends Error {}

interface Seen {
  /** The last position; of no meaning where there was damage. */
  readonly end: number;
  readonly damage: LogError | undefined;
}

/** Asks everything that can be asked; throws where an answer is wrong. */
async function readAll(path: string, { events, ends }: Expected): Promise<Seen> {
  let damage: LogError | undefined;
  const ask = async <Answer>(question: () => Promise<Answer>): Promise<{ answer?: Answer }> => {
    try {
      return { answer: await question() };
    } catch (error) {
      damage ??= checkError(error, path);
      return {};
    }
  };
  const { answer: log } = await ask(async () => open(path));
  if (!log) return { end: 0, damage };
  try {
    const head = await ask(() => log.head());
    const { answer: read } = await ask(() => everythingIn(log));
    const end = read?.length ?? events.length;
    if (read) {
      expect(isBeginning(read, events), "all events, in order").toBe(true);
      if (!ends.includes(end)) throw new HiddenDamage(`The log ends at ${end}.`);
      if ("answer" in head) expect(head.answer, "the head").toBe(end);
    }
    const kept = events.slice(0, end);
    try {
      await askByIndex(kept);
    } catch (cause) {
      throw new HiddenDamage(String(cause), { cause });
    }
    if (damage)
      expect(await isRefused(log, path), "an append to a log that is known to be damaged is refused").toBe(
        true,
      );
    return { end, damage };
  } finally {
    await log.close();
  }

  async function askByIndex(kept: readonly Event[]): Promise<void> {
    if (!log) return;
    for (const [stream, all] of byStream(kept)) {
      const { answer } = await ask(() => log.readStream(stream, 0, 10_000));
      if (!answer) continue;
      expect(isBeginning(answer, all), `stream ${stream}`).toBe(true);
      // Whoever was told of the damage knows that an end may be missing.
      if (!damage) expect(answer.length, `stream ${stream}`).toBe(all.length);
      if (!damage) expect(await log.streamVersion(stream), `version of ${stream}`).toBe(all.length);
    }
    for (const event of kept) {
      const { answer } = await ask(() => log.find(event.id));
      if (answer || !damage)
        expect(isBeginning([answer], [event]), `event ${event.position} by its id`).toBe(true);
    }
  }
}

async function isRefused(log: EventLog, path: string): Promise<boolean> {
  try {
    await log.append([comment("after the damage", 3)]);
    return false;
  } catch (error) {
    checkError(error, path);
    return true;
  }
}

function open(path: string): EventLog {
  return openSqliteLog(path, environmentAt({ now: NOON }, "after the damage"));
}

/** A hash of a file's bytes; for what is no file, nothing. */
function contentOf(path: string): string | undefined {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ? hash("sha256", readFileSync(path)) : undefined;
}

/** What is said of damage is a LogError that names the file; anything else is thrown on. */
function checkError(error: unknown, path: string): LogError {
  if (!(error instanceof LogError)) throw error;
  expect(error.message).toContain(path);
  expect(["damaged", "disk", "newer_schema", "unknown_event_type"]).toContain(error.code);
  return error;
}

function isBeginning(answer: readonly (Event | undefined)[], events: readonly Event[]): boolean {
  return answer.every((event, index) => isDeepStrictEqual(event, events[index]));
}

function byStream(events: readonly Event[]): Map<string, Event[]> {
  const streams = new Map<string, Event[]>();
  for (const event of events) streams.set(event.stream, [...(streams.get(event.stream) ?? []), event]);
  return streams;
}
