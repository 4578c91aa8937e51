import { closingVerbs, type Verb } from "../events/types/signals.ts";
import { type KeptLearning, keptLearning } from "../projections/queries/kept-learning.ts";
import { ReadModelError } from "../projections/read-model-error.ts";
import { catchUp } from "../projections/worker.ts";
import { requireOutsideGates } from "./outside-gates.ts";
import { Refusal } from "./refusal.ts";
import { type Reporter, recordSignal } from "./reports.ts";
import { stateOf } from "./state.ts";
import type { Store } from "./store.ts";
import { whatNext } from "./what-next.ts";

/** What a signal is answered with, by the tool of its verb and by the command. */
export interface SignalReport {
  /** Where the signal stands in the log. */
  readonly position: number;
  readonly recorded: string;
  /** What became of a learning; absent for other verbs, and where the read model is held up. */
  readonly kept?: KeptLearning;
  /** What may come next. */
  readonly next: string;
}

export interface Signal {
  readonly verb: Verb;
  readonly args: Record<string, unknown>;
  /** The event's id; the same signal sent again under it is not recorded twice. */
  readonly id: string;
}

/** What to do about a task or a session that is wrong, which depends on how the reporter was named. */
export interface ReporterAdvice {
  readonly unknownTask: string;
  readonly otherTask: string;
}

/**
 * Records a signal of a reporter that is as it must be, and says what follows.
 *
 * @throws Refusal `not_found`: there is no such task; `not_possible`: the session is of another one; `in_gate`
 * @throws ReadModelError `newer_version`
 * @throws LogError as `recordSignal`
 */
export async function reportSignal(
  store: Store,
  reporter: Reporter,
  signal: Signal,
  advice: ReporterAdvice,
): Promise<SignalReport> {
  if (CLOSING.has(signal.verb)) await lookAhead(store);
  requireOutsideGates(store.readModel);
  await checkReporter(store, reporter, advice);
  const { events } = await recordSignal(store, reporter, signal);
  const position = events[0]?.position ?? 0;
  const kept = signal.verb === "learned" ? await keptAt(store, position) : undefined;
  return {
    position,
    recorded: `${signal.verb} on task ${reporter.task} in session ${reporter.session}`,
    ...(kept && { kept }),
    next: whatNext(stateOf(store.readModel), reporter, signal.verb, signal.args),
  };
}

const CLOSING: ReadonlySet<Verb> = new Set(closingVerbs);

/**
 * What a closing verb is answered with follows from everything before it, so this looks before the verb is recorded.
 * Where the read model is held up, the log goes on; behind what a newer program wrote, nothing is recorded.
 */
async function lookAhead({ readModel, log }: Store): Promise<void> {
  try {
    await catchUp(readModel, log);
  } catch (error) {
    if (!(error instanceof ReadModelError) || error.code === "newer_version") throw error;
  }
}

/** The learning is recorded, so a read model that is held up only leaves this out. */
async function keptAt({ readModel, log }: Store, position: number): Promise<KeptLearning | undefined> {
  try {
    await catchUp(readModel, log);
  } catch (error) {
    if (!(error instanceof ReadModelError)) throw error;
  }
  return stateOf(readModel).learningSources.get(position) && keptLearning(readModel, position);
}

/**
 * A launch or a command may name a task that is not there, or a session of another one; then nothing can be recorded. What
 * the session of a task says that was deleted meanwhile is late, and recorded.
 */
async function checkReporter(
  store: Store,
  { task, session }: Reporter,
  { unknownTask, otherTask }: ReporterAdvice,
): Promise<void> {
  store.readModel.stale();
  const find = () => {
    const state = stateOf(store.readModel);
    return { known: state.tasks.get(task) !== undefined, ofSession: state.sessions.get(session)?.task_id };
  };
  let found = find();
  if (!found.known || (found.ofSession ?? task) !== task) {
    await catchUp(store.readModel, store.log);
    found = find();
  }
  if (!found.known && found.ofSession !== task) {
    throw new Refusal("not_found", `Nothing was recorded: there is no task ${task}. ${unknownTask}`);
  }
  if ((found.ofSession ?? task) !== task) {
    throw new Refusal(
      "not_possible",
      `Nothing was recorded: session ${session} is of task ${found.ofSession}, not of task ${task}. ${otherTask}`,
    );
  }
}
