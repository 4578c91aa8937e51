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
export async function ask<Answer>(
  { readModel, log }: { readonly readModel: ReadModel; readonly log: EventLog },
  question: (readModel: ReadModel) => Answer | Promise<Answer>,
): Promise<Answer> {
  // A transaction cannot give back a promise.
  const look = () => readModel.snapshot(() => ({ answer: question(readModel) })).answer;
  if (await isOutdated(readModel, log)) {
    try {
      const answer = await look();
      readModel.outdated.next(readModel.position());
      return answer;
    } catch {
      // The older version had other tables, or had not come as far: what is wrong there says nothing about the question.
    }
  }
  await catchUp(readModel, log);
  return look();
}
