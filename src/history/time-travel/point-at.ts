import { Refusal } from "../../decisions/refusal.ts";
import { lastUpTo } from "../../events/event-at.ts";
import type { EventLog } from "../../events/log.ts";
import { fromIsoTime, type Microseconds, toIsoTime } from "../../lib/time.ts";
import { readMoment } from "../moments.ts";
import { PointError } from "./point-error.ts";

/** A point of a log: the state after the event at a position. */
export interface Point {
  /** 0: before the first event. */
  readonly position: number;
  /** The time that counts as "now" there: the requested time, or that of the event. */
  readonly moment: Microseconds;
}

/**
 * Parses a point of a log as people write it: a position (`1200`), `HEAD`, `HEAD~10`, a time or a
 * date in ISO 8601, or English such as `2 hours ago` or `yesterday at 14:00`. Without a time zone
 * it is in UTC, like all of our output. A date means its first moment. A time means the last event
 * recorded at or before it; before the first event the project is empty.
 *
 * @param now the present, from which `ago` counts
 * @throws PointError: the text is not a point
 * @throws Refusal `not_found`: a position after the head, a step before the beginning, a future
 * time
 */
export async function pointAt(log: EventLog, text: string, now: Microseconds): Promise<Point> {
  const wish = text.trim();
  const head = await log.head();
  if (/^\d+$/.test(wish)) return atPosition(log, Number(wish), head, now);
  const back = /^HEAD(?:~(\d+))?$/i.exec(wish);
  if (back)
    return back[1] === undefined ? { position: head, moment: now } : stepBack(log, back[1], head, now);
  const moment = await readMoment(wish, now);
  if (moment === undefined) throw unreadable(text);
  if (moment > now) {
    throw new Refusal(
      "not_found",
      `"${text}" means ${toIsoTime(moment)}, which is in the future. Name a past time, or HEAD.`,
    );
  }
  return { position: await lastUpTo(log, moment), moment };
}

async function atPosition(log: EventLog, position: number, head: number, now: Microseconds): Promise<Point> {
  if (position > head) {
    throw new Refusal(
      "not_found",
      `There is no position ${position} yet: the log's head is ${head}. Name a position from 0 to ${head}.`,
    );
  }
  // Before the first event, the best known time is that of the first one.
  const [event] = await log.read(Math.max(position - 1, 0), 1);
  return { position, moment: event ? fromIsoTime(event.recordedAt) : now };
}

async function stepBack(log: EventLog, steps: string, head: number, now: Microseconds): Promise<Point> {
  if (Number(steps) > head) {
    throw new Refusal(
      "not_found",
      `HEAD~${steps} is before the beginning: the log's head is ${head}. HEAD~${head} is the empty project.`,
    );
  }
  return atPosition(log, head - Number(steps), head, now);
}

function unreadable(text: string): PointError {
  return new PointError(
    `"${text}" is not a valid point in the log. Use a position (1200), HEAD or HEAD~10, a time in UTC (2026-02-11, 2026-02-11T10:23), or one in English ("2 hours ago", "yesterday at 14:00").`,
  );
}
