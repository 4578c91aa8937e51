import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { planRedaction, type RedactionInput, takeRedaction } from "../../decisions/redact.ts";
import type { Store } from "../../decisions/store.ts";
import type { EventLog } from "../../events/log.ts";
import { ralphFolderOf } from "../../events/project-folder.ts";
import type { Event } from "../../events/types/index.ts";
import { readLog } from "../log/read-log.ts";
import { cleanProject, type Unclean } from "./clean.ts";
import { blank, filesIn, holds } from "./files.ts";
import { needlesOf } from "./needles.ts";

/** What became of a redaction. */
export interface Redacted {
  /** The event `event.redacted`. */
  readonly redaction: Event;
  /** The paths of the texts that are gone. */
  readonly fields: readonly string[];
  /** Databases that others have kept from being cleaned. */
  readonly unclean: readonly Unclean[];
  /** Files of sessions in which the texts stood and were written over. */
  readonly blanked: readonly string[];
  /** Files below `.ralph/` in which a removed text still stands, relative to it. */
  readonly left: readonly string[];
  /** Positions of other events that say one of the removed texts as well. */
  readonly also: readonly number[];
}

export interface RedactOptions {
  readonly actor: string;
  /** How long to wait for other processes that keep a database from being cleaned. */
  readonly wait_ms: number;
}

/**
 * Removes texts of an event from the log and from all that follows from it. The files of sessions are written over before
 * the log is changed, since only until then anybody knows what to look for: whoever is killed in between does it again.
 *
 * @throws Refusal: nothing was changed; LogError
 */
export async function redact(
  store: Store,
  readModelPath: string,
  input: RedactionInput,
  { actor, wait_ms }: RedactOptions,
): Promise<Redacted> {
  const plan = await planRedaction(store, input);
  const needles = needlesOf(plan.removed);
  const folder = ralphFolderOf(readModelPath);
  const before = blankSessions(folder, needles);
  const redaction = await takeRedaction(store, plan, actor);
  const unclean = await cleanProject(store, readModelPath, wait_ms);
  // What an agent has written meanwhile.
  const after = blankSessions(folder, needles);
  return {
    redaction,
    fields: plan.removed.map(({ path }) => path),
    unclean,
    blanked: [...new Set([...before, ...after])].map((path) => relative(folder, path)),
    left: filesIn(folder)
      .filter((path) => holds(path, needles))
      .map((path) => relative(folder, path)),
    also: await alsoIn(store.log, needles),
  };
}

/** Writes over what is looked for in the files of sessions. @returns the files in which it stood */
export function blankSessions(folder: string, needles: readonly Buffer[]): readonly string[] {
  const sessions = join(folder, "run");
  return existsSync(sessions) ? filesIn(sessions).filter((path) => blank(path, needles)) : [];
}

async function alsoIn(log: EventLog, needles: readonly Buffer[]): Promise<number[]> {
  const found: number[] = [];
  for await (const events of readLog(log, { from: 1, to: Number.POSITIVE_INFINITY })) {
    for (const event of events) {
      const text = Buffer.from(JSON.stringify(event.payload));
      if (needles.some((needle) => text.includes(needle))) found.push(event.position);
    }
  }
  return found;
}
