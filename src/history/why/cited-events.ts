import type { Via } from "../../events/event.ts";
import { eventAt } from "../../events/event-at.ts";
import { eventsOfStream } from "../../events/events-by-page.ts";
import type { EventLog } from "../../events/log.ts";
import { definitionOf, type Event } from "../../events/types/index.ts";
import { learningStream } from "../../events/types/learnings.ts";
import { planName } from "../../events/types/plans.ts";
import type { ReadModel } from "../../read-model/read-model.ts";
import { subjectsIn } from "../log/subjects.ts";

/** An event named by a reason: its text, actor, time, task and session. */
export interface CitedEvent {
  readonly position: number;
  readonly type: Event["type"];
  /** ISO 8601, UTC. */
  readonly time: string;
  readonly actor: string;
  /** How an act of a human came, if the log knows. */
  readonly via?: Via;
  readonly task: number | null;
  readonly session: string | null;
  /** Its timeline text: markdown, possibly an agent's words. */
  readonly text: string;
}

/** Looks up the events named by reasons, each once, in ascending order. */
export type Citations = (positions: readonly (number | null)[]) => Promise<readonly CitedEvent[]>;

/** @param readModel knows the task of a session */
export function citationsIn(readModel: ReadModel, log: EventLog): Citations {
  const subjectOf = subjectsIn(readModel);
  const cite = (event: Event): CitedEvent => {
    const { position, type, recordedAt, actor, via, payload } = event;
    const { task, session, taskOfSession } = subjectOf(event);
    return {
      position,
      type,
      time: recordedAt,
      actor,
      ...(via && { via }),
      task: task ?? taskOfSession ?? null,
      session: session ?? null,
      text: definitionOf(type)?.timeline(payload) ?? "",
    };
  };
  return async (positions) => {
    const cited: CitedEvent[] = [];
    for (const position of ascending(positions.filter((one) => one !== null))) {
      const event = await eventAt(log, position);
      if (event) cited.push(cite(event));
    }
    return cited;
  };
}

/** Positions, sorted and without duplicates. */
export function ascending(positions: readonly number[]): number[] {
  return [...new Set(positions)].sort((a, b) => a - b);
}

/**
 * All events of a task's own stream up to a position: decisions about it, its gate runs, comments.
 */
export function eventsOfTask(log: EventLog, task: number, upTo: number): Promise<readonly Event[]> {
  return eventsUpTo(log, `task-${task}`, upTo);
}

/** All events of a learning's own stream up to a position: human decisions about it. */
export function eventsOfLearning(log: EventLog, learning: number, upTo: number): Promise<readonly Event[]> {
  return eventsUpTo(log, learningStream({ learning }), upTo);
}

/** The same of a plan: decisions on its drafts. */
export async function eventsOfPlan(
  log: EventLog,
  plan: number | null | undefined,
  upTo: number,
): Promise<readonly Event[]> {
  return plan == null ? [] : await eventsUpTo(log, planName(plan), upTo);
}

async function eventsUpTo(log: EventLog, stream: string, upTo: number): Promise<readonly Event[]> {
  const found: Event[] = [];
  for await (const event of eventsOfStream(log, stream)) {
    if (event.position > upTo) break;
    found.push(event);
  }
  return found;
}
