import { filter, firstValueFrom, scan } from "rxjs";
import { type Appended, type Draft, type Event, type EventLog, LogError, type NewEvent } from "../core.ts";

/** An event id that a case can name: `id(7)` is always the same. */
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

export function positionsOf(events: readonly { readonly position: number }[]): number[] {
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
