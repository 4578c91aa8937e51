import { LogError } from "../lib/log-error.ts";
import { decodeEvent } from "./encoding.ts";
import type { EventRecord } from "./event-record.ts";
import { hostStream, sessionStream, taskStream } from "./types/fields.ts";
import type { Event, EventType } from "./types/index.ts";
import { tasksIn } from "./types/subject.ts";

/*
 * What an event can change, in words short enough for a log to compare (docs/decisions/0050-what-a-decision-has-read.md). A decision
 * is appended on condition that no event with one of the tags that it has read came meanwhile.
 */

/** Of an event that may change anything. */
export const ANYTHING = "*";

/**
 * The tags of a stored event: its stream, the streams of the tasks, the session and the host that it names, and what `MORE` says of its type.
 * A pure function of type, stream and payload.
 */
export function tagsOf({ type, stream, payload }: Pick<Event, "type" | "stream" | "payload">): string[] {
  const tags = new Set([stream, ...(MORE[type] ?? [])]);
  const { task, session, host } = payload as Named;
  // Of an older program, it does not say what it settles; one of a session without a task cannot be told from it.
  if (type === "session.ended" && task === undefined) return [ANYTHING];
  for (const one of tasksIn(payload)) tags.add(taskStream({ task: one }));
  if (session !== undefined) tags.add(sessionStream({ session }));
  if (host !== undefined) tags.add(hostStream({ host }));
  return [...tags];
}

interface Named {
  readonly task?: number;
  readonly session?: string;
  readonly host?: string;
}

/** True if an event may have changed what bears these tags; what has read nothing, nothing changes. */
export function meets(event: Pick<Event, "type" | "stream" | "payload">, read: ReadonlySet<string>): boolean {
  if (read.size === 0) return false;
  return read.has(ANYTHING) || tagsOf(event).some((tag) => tag === ANYTHING || read.has(tag));
}

/** The same of a record; one that this program cannot read may change anything. */
export function recordMeets(record: EventRecord, read: ReadonlySet<string>): boolean {
  try {
    return meets(decodeEvent(record), read);
  } catch (error) {
    if (error instanceof LogError && error.code === "upcast_failed") return true;
    throw error;
  }
}

/** May add or remove tasks, edges between them, or what waits for a task. */
const STRUCTURE = ["structure"];
const LEARNED = ["learned"];
const MERGES = ["merges"];
const PLANS = ["plans"];
const FEATURES = ["features"];

const MORE: { readonly [Type in EventType]?: readonly string[] } = {
  "task.created": STRUCTURE,
  "task.changed": STRUCTURE,
  "task.deleted": STRUCTURE,
  "task.status_set": STRUCTURE,
  "session.started": ["started"],
  "session.ended": STRUCTURE,
  "blocker.resolved": STRUCTURE,
  "blocker.dismissed": STRUCTURE,
  "blocker.reopened": STRUCTURE,
  "suggestion.approved": STRUCTURE,
  "suggestion.rejected": STRUCTURE,
  "suggestion.reopened": STRUCTURE,
  "plan.begun": PLANS,
  "plan.confirmed": STRUCTURE,
  "plan.approved": STRUCTURE,
  "plan.rejected": STRUCTURE,
  "plan.reopened": STRUCTURE,
  "question.answered": STRUCTURE,
  "question.dismissed": STRUCTURE,
  "question.reopened": STRUCTURE,
  "signal.learned": LEARNED,
  "learning.added": LEARNED,
  "learning.marked": LEARNED,
  "learning.split": LEARNED,
  "merge.begun": MERGES,
  "feature.created": FEATURES,
  "feature.changed": FEATURES,
  "feature.deleted": FEATURES,
  "policy.set": [ANYTHING],
  "event.redacted": [ANYTHING],
};
