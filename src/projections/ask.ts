import type { EventLog } from "../events/log.ts";
import type { ReadModel } from "./read-model.ts";
import { catchUp, isOutdated } from "./worker.ts";

/**
 * Answers a question from the read model at the head of the log, all of it as of one position; of a question that waits for something,
 * what it asks before it first does.
 *
 * Of a long log whose tables have to be made anew, as after an upgrade, it is answered at once from the old ones, which the read model
 * tells (`outdated`); where those cannot answer it, or refuse it, it waits. Whoever decides waits in any case: see `catchUp`.
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
      // The older version had other tables, or had not come as far: what is wrong there says nothing about the question.
    }
  }
  return askAtHead(store, question);
}

/** The same, but waits for tables that have to be made anew: for an agent, which is not to go by an older answer. */
export async function askAtHead<Answer>({ readModel, log }: Asked, question: Ask<Answer>): Promise<Answer> {
  await catchUp(readModel, log);
  return look(readModel, question);
}

type Ask<Answer> = (readModel: ReadModel) => Answer | Promise<Answer>;

interface Asked {
  readonly readModel: ReadModel;
  readonly log: EventLog;
}

/** A transaction cannot give back a promise. */
function look<Answer>(readModel: ReadModel, question: Ask<Answer>): Answer | Promise<Answer> {
  return readModel.snapshot(() => ({ answer: question(readModel) })).answer;
}
