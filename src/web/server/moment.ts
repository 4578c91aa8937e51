import type { EventLog } from "../../events/log.ts";
import type { Project } from "../../project/project.ts";
import { ask } from "../../projections/ask.ts";
import type { ReadModel } from "../../projections/read-model.ts";
import { logUntil } from "../../replay/time-travel/log-until.ts";
import { pointAt } from "../../replay/time-travel/point-at.ts";
import type { Past } from "./past.ts";

/** A project at one moment, for an answer to ask. */
export interface Moment {
  /** Ends at that moment. */
  readonly log: EventLog;
  /** The position of the last event that it knows. */
  readonly position: number;
  /** Microseconds since 1970: the present, or when the last event was recorded. */
  readonly now: number;
  readonly readModel: ReadModel;
  /** The log as it is, for what is compared with the present. */
  readonly whole: EventLog;
  /** Asks the read model of another position, for comparing. */
  beside<Answer>(position: number, question: (readModel: ReadModel) => Answer): Promise<Answer>;
}

/** Which moment is asked for. */
export interface Asked {
  /** As `pointAt` understands it; absent: the present. */
  readonly at: string | undefined;
  /** Whether a position behind the head means the head. */
  readonly isNearest: boolean;
  /** Whether nobody waits for the answer any more. */
  isGivenUp(): boolean;
}

/** Nobody is told anything: whoever asked has gone. */
export class GivenUp extends Error {}

/**
 * Runs a question on the project as it is, or as it was at a position. All that it asks of the read model of the past is of one state; of
 * the present, what it asks before it first waits for something.
 *
 * @throws PointError, Refusal `not_found`: there is no such position; StillReading; GivenUp
 */
export async function atMoment<Answer>(
  project: Project,
  past: Past,
  { at, isNearest, isGivenUp }: Asked,
  question: (moment: Moment) => Answer | Promise<Answer>,
): Promise<{ position: number; answer: Answer }> {
  const { readModel, log, environment } = project.store;
  const beside: Moment["beside"] = (position, asked) => past.askBeside(position, asked);
  if (at !== undefined) {
    const nearest = isNearest && /^\d+$/.test(at) ? String(Math.min(Number(at), await log.head())) : at;
    const { position, moment: now } = await pointAt(log, nearest, environment.now());
    const until = logUntil(log, position);
    const answer = await past.ask(position, (readModel) => {
      // While it waited for its turn, a slider may have gone on.
      if (isGivenUp()) throw new GivenUp();
      return question({ log: until, readModel, position, now, whole: log, beside });
    });
    return { position, answer };
  }
  return ask(project.store, async () => {
    const position = readModel.position();
    const moment = { log, readModel, position, now: environment.now(), whole: log, beside };
    return { position, answer: await question(moment) };
  });
}
