import type { EventLog } from "../events/log.ts";
import type { ReadModel } from "./read-model.ts";
import { catchUp, isOutdated } from "./worker.ts";

/**
 * Answers a question from the read model at the head of the log, consistently as of one position.
 * For a question that awaits something, this holds up to its first await.
 *
 * If the tables of a long log have to be rebuilt, as after an upgrade, the answer comes at once
 * from the old tables, which the read model reports (`outdated`); if those cannot answer, it waits.
 * A decision waits in any case: see `catchUp`.
 *
 * @throws ReadModelError as `catchUp`
 */
export async function ask<Answer>(store: Asked, question: Ask<Answer>): Promise<Answer> {
  const { readModel, log } = store;
  if (await isOutdated(readModel, log)) {
    try {
      const answer = await look(readModel, question);
      readModel.outdated.next(readModel.position());
      return answer;
    } catch {
      // The old tables may be different or behind: an error from them says nothing about the
      // question.
    }
  }
  return askAtHead(store, question);
}

/** The same, but waits for a rebuild: for agents, which must not act on an outdated answer. */
export async function askAtHead<Answer>({ readModel, log }: Asked, question: Ask<Answer>): Promise<Answer> {
  await catchUp(readModel, log);
  return look(readModel, question);
}

type Ask<Answer> = (readModel: ReadModel) => Answer | Promise<Answer>;

interface Asked {
  readonly readModel: ReadModel;
  readonly log: EventLog;
}

/** A transaction cannot return a promise. */
function look<Answer>(readModel: ReadModel, question: Ask<Answer>): Answer | Promise<Answer> {
  return readModel.snapshot(() => ({ answer: question(readModel) })).answer;
}
