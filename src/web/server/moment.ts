import type { EventLog } from "../../events/log.ts";
import type { Project } from "../../project.ts";
import type { ReadModel } from "../../projections/read-model.ts";
import { catchUp } from "../../projections/worker.ts";

/** A project at one moment, for an answer to ask. */
export interface Moment {
  /** Ends at that moment. */
  readonly log: EventLog;
  /** The position of the last event that it knows. */
  readonly position: number;
  /** Microseconds since 1970: the present, or when the last event was recorded. */
  readonly now: number;
  readonly readModel: ReadModel;
}

/**
 * Runs a question on the project as it is, or as it was at a position. All that it asks of the read model before it first
 * waits for something is of one state.
 *
 * @throws PointError, Refusal `not_found`: there is no such position
 */
export async function atMoment<Answer>(
  project: Project,
  at: string | undefined,
  question: (moment: Moment) => Answer | Promise<Answer>,
): Promise<{ position: number; answer: Answer }> {
  if (at !== undefined) {
    const past = await project.at(at);
    try {
      const { store, asOf } = past;
      const position = asOf?.position ?? 0;
      const now = asOf?.moment ?? project.store.environment.now();
      return {
        position,
        answer: await question({ log: store.log, readModel: store.readModel, position, now }),
      };
    } finally {
      await past.close();
    }
  }
  const { readModel, log, environment } = project.store;
  await catchUp(readModel, log);
  const { position, answer } = readModel.snapshot(() => {
    const position = readModel.position();
    return { position, answer: question({ log, readModel, position, now: environment.now() }) };
  });
  return { position, answer: await answer };
}
