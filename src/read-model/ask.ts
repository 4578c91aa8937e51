import type { EventLog } from "../events/log.ts";
import { LogError } from "../lib/log-error.ts";
import { whenPatienceEnds } from "../lib/patience.ts";
import type { ReadModel } from "./read-model.ts";
import { catchUp, isOutdated } from "./worker.ts";

/**
 * Answers a question from the read model at the head of the log, consistently as of one position.
 * For a question that awaits something, this holds up to its first await.
 *
 * If the tables of a long log have to be rebuilt, as after an upgrade, the answer comes at once
 * from the old tables, which the read model reports (`outdated`); if those cannot answer, it waits.
 * A decision waits in any case: see `catchUp`. Where the store may lag, a log that does not answer is not waited for, either.
 *
 * @throws ReadModelError as `catchUp`
 */
export async function ask<Answer>(store: Askable, question: Ask<Answer>): Promise<Answer> {
  const { readModel, log, mayLag = false } = store;
  if (mayLag && !(await isInReach(log))) return look(readModel, question);
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
  try {
    return await askAtHead(store, question);
  } catch (error) {
    if (mayLag && isAway(error)) return look(readModel, question);
    throw error;
  }
}

/** The same, but waits for a rebuild: for agents, which must not act on an outdated answer. */
export async function askAtHead<Answer>({ readModel, log }: Askable, question: Ask<Answer>): Promise<Answer> {
  await catchUp(readModel, log);
  return look(readModel, question);
}

type Ask<Answer> = (readModel: ReadModel) => Answer | Promise<Answer>;

interface Askable {
  readonly readModel: ReadModel;
  readonly log: EventLog;
  readonly mayLag?: boolean;
}

/**
 * Whether the log answers now; true of one that is a file. Of one that does not answer in time the answer is false at once until it has.
 *
 * @throws LogError: what it answers, unless it is away
 */
export function isInReach(log: EventLog): Promise<boolean> {
  if (!log.hosts) return Promise.resolve(true);
  const asked = reaching.get(log) ?? reach(log);
  reaching.set(log, asked);
  return asked;
}

/** Logs that were asked for their head and have not answered yet: whether they did so in time. */
const reaching = new WeakMap<EventLog, Promise<boolean>>();

function reach(log: EventLog): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const stopWaiting = whenPatienceEnds(PATIENCE_MS, () => resolve(false));
    log
      .head()
      .then(
        () => resolve(true),
        (error) => (isAway(error) ? resolve(false) : reject(error)),
      )
      .finally(() => {
        stopWaiting();
        reaching.delete(log);
      });
  });
}

function isAway(error: unknown): boolean {
  return error instanceof LogError && error.code === "busy";
}

/** How long a question waits for a log on a server, where it can be answered without it. */
const PATIENCE_MS = 1_000;

/** A transaction cannot return a promise. */
function look<Answer>(readModel: ReadModel, question: Ask<Answer>): Answer | Promise<Answer> {
  return readModel.snapshot(() => ({ answer: question(readModel) })).answer;
}
