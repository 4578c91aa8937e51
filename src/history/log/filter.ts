import { trackerKinds } from "../../config/tracker-settings.ts";
import { isNameOfPerson } from "../../events/actors.ts";
import type { Event, EventType } from "../../events/types/index.ts";
import type { Subject } from "./subjects.ts";

/** Selects events of a log; absent fields match everything, and all given ones must match. */
export interface LogFilter {
  /** The task that the event names, or the task of the session during which it happened. */
  readonly task?: number | undefined;
  /** The session that the event names, or during which it happened. */
  readonly session?: string | undefined;
  readonly types?: ReadonlySet<EventType> | undefined;
  readonly actor?: string | undefined;
  /** Only what humans did, by whatever way. */
  readonly humans?: boolean | undefined;
  /** A text in the payload's values, ignoring case. */
  readonly text?: string | undefined;
}

/**
 * Tests events against a filter. The cheap tests come first: of a million events few get to the
 * expensive ones.
 */
export function matching(filter: LogFilter, subjectOf: (event: Event) => Subject): (event: Event) => boolean {
  const { task, session, types, actor, humans } = filter;
  const wanted = filter.text?.toLowerCase();
  return (event) => {
    if (types && !types.has(event.type)) return false;
    if (actor !== undefined && event.actor !== actor) return false;
    if (humans && !isHumans(event)) return false;
    if (task !== undefined || session !== undefined) {
      const subject = subjectOf(event);
      if (task !== undefined && !subject.tasks.includes(task) && subject.taskOfSession !== task) return false;
      if (session !== undefined && subject.session !== session) return false;
    }
    return wanted === undefined || says(event.payload, wanted);
  };
}

/**
 * An act of a human: of a person, or of a program that decides as a human does. What a tracker brings from people who are not known
 * here has its name and no channel.
 */
function isHumans({ actor, via }: Event): boolean {
  return via !== undefined || (isNameOfPerson(actor) && !trackerKinds.some((kind) => kind === actor));
}

/** @param wanted in lower case */
function says(value: unknown, wanted: string): boolean {
  if (typeof value === "string") return value.toLowerCase().includes(wanted);
  if (typeof value === "object" && value !== null)
    return Object.values(value).some((one) => says(one, wanted));
  return (typeof value === "number" || typeof value === "boolean") && String(value) === wanted;
}
