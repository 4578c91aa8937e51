import { z } from "zod";
import {
  definitionOf,
  type Event,
  type EventLog,
  eventAt,
  type ReadModel,
  shorten,
  subjectsIn,
  taskTitles,
  viaInWords,
} from "../core.ts";
import { defineAnswer } from "./answer.ts";
import { wholeNumber } from "./query.ts";

/** An event in a list, without its payload. */
export interface EventLine {
  readonly position: number;
  readonly recordedAt: string;
  readonly type: string;
  readonly actor: string;
  /** How an act of a human came, in words. */
  readonly via?: string;
  readonly task: number | null;
  readonly session: string | null;
  /** The event's timeline text. */
  readonly text: string;
  /** Who appended it, on a log that knows. */
  readonly recordedBy?: string;
}

/** A page of the log, in its order. */
export const logAnswer = defineAnswer({
  name: "log",
  query: z.strictObject({ after: wholeNumber(0), limit: wholeNumber(1, 500) }),
  answer: async ({ log, readModel }, { after, limit }) =>
    linesOf(await log.read(after, limit), readModel, log),
});

/** An event with its payload. */
export const eventAnswer = defineAnswer({
  name: "event",
  query: z.strictObject({ position: wholeNumber(1) }),
  answer: async ({ log, readModel }, { position }) => wholeEvent(log, readModel, position),
});

/** The titles of the tasks of visible events. Apart from the lines, since a title may change and a line may not. */
export const taskTitlesAnswer = defineAnswer({
  name: "task_titles",
  query: z.strictObject({ tasks: z.string().regex(/^\d{1,15}(,\d{1,15}){0,199}$/) }),
  answer: ({ readModel }, { tasks }) =>
    taskTitles(readModel, tasks.split(",").map(Number)).map(({ id, title }) => ({
      id,
      title: shorten(title, TITLE),
    })),
});

export async function linesOf(
  events: readonly Event[],
  readModel: ReadModel,
  log: EventLog,
): Promise<EventLine[]> {
  const names = await log.recordedBy(events.map(({ position }) => position));
  const subjectOf = subjectsIn(readModel);
  return events.map((event) => {
    const { position, recordedAt, type, actor, via, payload } = event;
    const { task, session, taskOfSession } = subjectOf(event);
    const recordedBy = names.get(position);
    return {
      position,
      recordedAt,
      type,
      actor,
      ...(via && { via: viaInWords(via) }),
      task: task ?? taskOfSession ?? null,
      session: session ?? null,
      text: shorten(definitionOf(type)?.timeline(payload) ?? "", LINE),
      ...(recordedBy !== undefined && { recordedBy }),
    };
  });
}

async function wholeEvent(log: EventLog, readModel: ReadModel, position: number) {
  const event = await eventAt(log, position);
  if (!event) return null;
  const { id, stream, streamVersion, payload, leafHash, causation, correlation } = event;
  const [line] = await linesOf([event], readModel, log);
  const cause = causation === undefined ? undefined : await log.find(causation);
  return line
    ? {
        ...line,
        id,
        stream,
        stream_version: streamVersion,
        leaf_hash: leafHash,
        causation: causation ?? null,
        /** The position of the event that caused it; null if none did. */
        caused_by: cause?.position ?? null,
        correlation: correlation ?? null,
        payload,
      }
    : null;
}

const LINE = 300;
const TITLE = 100;
