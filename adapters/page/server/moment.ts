import {
  ask,
  type EventLog,
  type FleetView,
  type LoopControl,
  logUntil,
  type Project,
  pointAt,
  type ReadModel,
  type Store,
} from "./core.ts";
import type { Past } from "./past.ts";
import type { Visitor } from "./visitor.ts";

/** A project at one position, for an answer to query. */
export interface Moment {
  /** Ends at that position. */
  readonly log: EventLog;
  /** The position. */
  readonly position: number;
  /** Microseconds since 1970: the present, or when the last event was recorded. */
  readonly now: number;
  readonly readModel: ReadModel;
  /** The whole log, to compare with the present. */
  readonly whole: EventLog;
  /** The project in the present, for what lies in files and has no past. */
  readonly present: Store;
  /** What the page calls a project without a title. */
  readonly name?: string | undefined;
  /** Who asks. */
  readonly visitor?: Visitor | undefined;
  /** The servers and hosts of the present; absent for a log that is a file. */
  readonly fleet?: (() => Promise<FleetView>) | undefined;
  /** The processes of loops; absent in the past. */
  readonly loops?: LoopControl | undefined;
  /** Aborted once the client has disconnected. */
  readonly signal: AbortSignal;
  /** Queries the read model at another position, to compare. */
  beside<Answer>(position: number, question: (readModel: ReadModel) => Answer): Promise<Answer>;
}

/** The requested position. */
export interface AskedMoment {
  /** In the syntax of `pointAt`; absent: the present. */
  readonly at: string | undefined;
  /** Whether a position beyond the head means the head. */
  readonly isNearest: boolean;
  /** Aborted once the client has disconnected. */
  readonly signal: AbortSignal;
}

/** The client has disconnected. */
export class RequestAborted extends Error {}

/**
 * Runs a query on the project in the present or at a position. In the past the read model stands
 * still for the whole query; in the present only until its first `await`.
 *
 * @throws PointError, Refusal `not_found`: there is no such position; StillReading; RequestAborted
 */
export async function atMoment<Answer>(
  project: Project,
  past: Past,
  { at, isNearest, signal }: AskedMoment,
  question: (moment: Moment) => Answer | Promise<Answer>,
): Promise<{ position: number; answer: Answer }> {
  const { store: present } = project;
  const { readModel, log, environment } = present;
  const beside: Moment["beside"] = (position, asked) => past.askBeside(position, asked);
  if (at !== undefined) {
    const nearest = isNearest && /^\d+$/.test(at) ? String(Math.min(Number(at), await log.head())) : at;
    const { position, moment: now } = await pointAt(log, nearest, environment.now());
    const until = logUntil(log, position);
    const answer = await past.ask(position, (readModel) => {
      // The slider may have moved on while this waited in the queue.
      if (signal.aborted) throw new RequestAborted();
      return question({ log: until, readModel, position, now, whole: log, present, beside, signal });
    });
    return { position, answer };
  }
  return ask(project.store, async () => {
    const position = readModel.position();
    const moment = { log, readModel, position, now: environment.now(), whole: log, present, beside, signal };
    return { position, answer: await question(moment) };
  });
}
