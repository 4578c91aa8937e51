import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { filter, firstValueFrom, scan } from "rxjs";
import { replayEnvironment } from "../../src/decisions/system-environment.ts";
import type { Environment } from "../../src/events/environment.ts";
import type { NewEvent } from "../../src/events/event.ts";
import type { Appended, EventLog } from "../../src/events/log.ts";
import { LogError } from "../../src/events/log-error.ts";
import type { Draft, Event } from "../../src/events/types/index.ts";

/** A folder of its own under the system's temporary one, and how to remove it. */
export function temporaryFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "signalbox-test-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** A clock that moves only when a test sets it. */
export interface Clock {
  now: number;
}

/** 2026-02-11T10:23:15Z in microseconds. */
export const NOON = Date.UTC(2026, 1, 11, 10, 23, 15) * 1_000;

/** Ids and salts follow from the seed; two handles on one log need two seeds, or they would give the same ids. */
export function environmentAt(clock: Clock, seed: string): Environment {
  return replayEnvironment(seed, () => clock.now);
}

/** An event id that a test can name: `id(7)` is always the same. */
export function id(number: number): string {
  return `00000000-0000-7000-8000-${number.toString(16).padStart(12, "0")}`;
}

export function comment(body: string, task = 7): Draft<"comment.added"> {
  return { type: "comment.added", payload: { task, author: "human", body }, actor: "human" };
}

export function comments(count: number, label = "comment"): Draft<"comment.added">[] {
  return Array.from({ length: count }, (_, index) => comment(`${label} ${index + 1}`));
}

/** A payload field with room for any JSON value: the metadata of a state report. */
export function stateReport(metadata: unknown): NewEvent {
  return {
    type: "session.state_reported",
    payload: { session: "s-1", state: "testing", metadata },
    actor: "agent",
  };
}

export function positionsOf(events: readonly Event[]): number[] {
  return events.map(({ position }) => position);
}

/** `1, 2, …, last`, or from another first number. */
export function numbers(last: number, first = 1): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
}

export async function everythingIn(log: EventLog): Promise<readonly Event[]> {
  const all: Event[] = [];
  for (let page = await log.read(0, 1_000); page.length > 0; page = await log.read(all.length, 1_000)) {
    all.push(...page);
  }
  return all;
}

/** What follows `after`, until there are `count` events. */
export function followed(log: EventLog, after: number, count: number): Promise<readonly Event[]> {
  return firstValueFrom(
    log.follow(after).pipe(
      scan((all: readonly Event[], batch) => [...all, ...batch], []),
      filter((all) => all.length >= count),
    ),
  );
}

/** All that an append answers, to be compared: its events are read when they are looked at. */
export async function answerOf(append: Promise<Appended>): Promise<Appended> {
  const { outcome, events } = await append;
  return { outcome, events };
}

/** The code of the error that a call ends with; "none" if it ends well. Anything but a LogError is thrown on. */
export async function codeOf(call: Promise<unknown> | (() => Promise<unknown>)): Promise<string> {
  try {
    await (typeof call === "function" ? call() : call);
    return "none";
  } catch (error) {
    if (error instanceof LogError) return error.code;
    throw error;
  }
}
