import { join, relative } from "node:path";
import type { DecisionOptions } from "../../decisions/decide.ts";
import { planRedaction, type RedactionInput, takeRedaction } from "../../decisions/rules/redact.ts";
import type { Store } from "../../decisions/store.ts";
import type { EventLog } from "../../events/log.ts";
import type { Event } from "../../events/types/index.ts";
import { ralphFolderOf } from "../../lib/project-folder.ts";
import { readLog } from "../log/read-log.ts";
import { cleanProject, type Unclean } from "./clean.ts";
import { blank, filesIn, holds } from "./files.ts";
import { needlesOf } from "./needles.ts";

/** The result of a redaction. */
export interface Redacted {
  /** The event `event.redacted`. */
  readonly redaction: Event;
  /** The paths of the removed texts. */
  readonly fields: readonly string[];
  /** Databases that other processes kept from being cleaned. */
  readonly unclean: readonly Unclean[];
  /** Files of sessions and loops that contained the texts and were overwritten. */
  readonly blanked: readonly string[];
  /** Files below `.ralph/` that still contain a removed text, as relative paths. */
  readonly left: readonly string[];
  /** Positions of other events that contain one of the removed texts. */
  readonly also: readonly number[];
}

export interface RedactOptions extends Pick<DecisionOptions, "actor" | "via"> {
  /** How long to wait for other processes that keep a database from being cleaned. */
  readonly wait_ms: number;
}

/**
 * Removes texts of an event from the log and everything derived from it. Overwrites the files of
 * sessions before changing the log: afterwards the texts to search for are unknown, and after a
 * kill in between the caller can simply repeat.
 *
 * @throws Refusal: nothing was changed; LogError
 */
export async function redact(
  store: Store,
  readModelPath: string,
  input: RedactionInput,
  { wait_ms, ...by }: RedactOptions,
): Promise<Redacted> {
  const plan = await planRedaction(store, input);
  const needles = needlesOf(plan.removed);
  const folder = ralphFolderOf(readModelPath);
  const before = blankOutputs(folder, needles);
  const redaction = await takeRedaction(store, plan, by);
  const unclean = await cleanProject(store, readModelPath, wait_ms);
  // Files that an agent wrote meanwhile.
  const after = blankOutputs(folder, needles);
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

/**
 * Overwrites the needles in the files of sessions and in the outputs of loops, which print titles
 * and reports. @returns the files that contained one
 */
export function blankOutputs(folder: string, needles: readonly Buffer[]): readonly string[] {
  return ["run", "loops"]
    .flatMap((name) => filesIn(join(folder, name)))
    .filter((path) => blank(path, needles));
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
