import { closingVerbs, type Verb } from "../../events/types/signals.ts";
import { taskIn } from "../../events/types/subject.ts";
import { type KeptLearning, keptLearning } from "../../queries/kept-learning.ts";
import { ReadModelError } from "../../read-model/read-model-error.ts";
import { catchUp, mustBeRebuilt } from "../../read-model/worker.ts";
import { requireOutsideGates } from "../outside-gates.ts";
import { Refusal } from "../refusal.ts";
import { stateOf } from "../state.ts";
import type { Store } from "../store.ts";
import { type Reporter, recordSignal } from "./reports.ts";
import { whatNext } from "./what-next.ts";

/** The answer to a signal, by its verb's tool and by the command. */
export interface SignalReport {
  /** The signal's log position. */
  readonly position: number;
  readonly recorded: string;
  /** A learning's entry; absent for other verbs, and if the read model is blocked. */
  readonly kept?: KeptLearning;
  /** The possible next steps. */
  readonly next: string;
}

export interface Signal {
  readonly verb: Verb;
  readonly args: Record<string, unknown>;
  /** The event's id; repeating the signal under it records nothing. */
  readonly id: string;
}

/** The remedy for a wrong task or session, which depends on how the reporter was named. */
export interface ReporterAdvice {
  readonly unknownTask: string;
  readonly otherTask: string;
}

/**
 * Records a signal of a valid reporter, and returns its consequences.
 *
 * @throws Refusal `not_found`: there is no such task; `not_possible`: the session belongs to
 * another task, or to none; `in_gate`
 * @throws ReadModelError `newer_version`
 * @throws LogError as `recordSignal`
 */
export async function reportSignal(
  store: Store,
  reporter: Reporter,
  signal: Signal,
  advice: ReporterAdvice,
): Promise<SignalReport> {
  // A fact does not wait for a rebuild: it is then checked against the log, and the consequences
  // are left out.
  const isReadable = !(await mustBeRebuilt(store.readModel, store.log));
  if (isReadable) {
    if (CLOSING.has(signal.verb)) await lookAhead(store);
    requireOutsideGates(store.readModel);
  }
  const find = isReadable ? findInRows : findInLog;
  checkReporter(await find(store, reporter), reporter, advice);
  const { events } = await recordSignal(store, reporter, signal);
  const position = events[0]?.position ?? 0;
  const recorded = `${signal.verb} on task ${reporter.task} in session ${reporter.session}`;
  if (!isReadable) return { position, recorded, next: nextWhileRebuilt(signal.verb) };
  const kept = signal.verb === "learned" ? await keptAt(store, position) : undefined;
  return {
    position,
    recorded,
    ...(kept && { kept }),
    next: store.readModel.snapshot(() =>
      whatNext(stateOf(store.readModel), reporter, signal.verb, signal.args),
    ),
  };
}

function nextWhileRebuilt(verb: Verb): string {
  const follows = "The board is being rebuilt, so the effect of this is not known yet.";
  return CLOSING.has(verb)
    ? `${follows} End your work here.`
    : `${follows} Go on; close the session with done, partial or stuck.`;
}

const CLOSING: ReadonlySet<Verb> = new Set(closingVerbs);

/**
 * The answer to a closing verb depends on everything before it, so this reads before the verb is
 * recorded. If the read model is blocked, the log goes on; after a newer program's events, nothing
 * is recorded.
 */
async function lookAhead({ readModel, log }: Store): Promise<void> {
  try {
    await catchUp(readModel, log);
  } catch (error) {
    if (!(error instanceof ReadModelError) || error.code === "newer_version") throw error;
  }
}

/** The learning is recorded, so a blocked read model only omits this part. */
async function keptAt({ readModel, log }: Store, position: number): Promise<KeptLearning | undefined> {
  try {
    await catchUp(readModel, log);
  } catch (error) {
    if (!(error instanceof ReadModelError)) throw error;
  }
  return stateOf(readModel).learningSources.get(position) && keptLearning(readModel, position);
}

/** A reporter's task and session, as far as they exist. */
interface Found {
  readonly isTask: boolean;
  /** Undefined for an unknown session, null for one without a task. */
  readonly ofSession: number | null | undefined;
}

/** From the current rows, if they have both. */
async function findInRows(store: Store, reporter: Reporter): Promise<Found> {
  const find = () =>
    store.readModel.snapshot(() => {
      const state = stateOf(store.readModel);
      return {
        isTask: state.tasks.get(reporter.task) !== undefined,
        ofSession: state.sessions.get(reporter.session)?.task_id,
      };
    });
  const found = find();
  if (found.isTask && (found.ofSession ?? reporter.task) === reporter.task) return found;
  await catchUp(store.readModel, store.log);
  return find();
}

/** From the streams of both, which include deleted tasks. */
async function findInLog({ log }: Store, { task, session }: Reporter): Promise<Found> {
  const [first] = await log.readStream(`session-${session}`, 0, 1);
  return {
    isTask: (await log.streamVersion(`task-${task}`)) > 0,
    ofSession: first && (taskIn(first.payload) ?? (first.type === "session.started" ? null : undefined)),
  };
}

/**
 * A launch or a command may name a missing task, or a session of another task or of none; then nothing can be
 * recorded. Signals of a session whose task was deleted meanwhile are late, and recorded.
 */
function checkReporter(
  { isTask, ofSession }: Found,
  { task, session }: Reporter,
  { unknownTask, otherTask }: ReporterAdvice,
): void {
  if (ofSession === null) {
    throw new Refusal(
      "not_possible",
      `Nothing was recorded: session ${session} has no task, so the verbs are not for it.`,
    );
  }
  if (!isTask && ofSession !== task) {
    throw new Refusal("not_found", `Nothing was recorded: there is no task ${task}. ${unknownTask}`);
  }
  if ((ofSession ?? task) !== task) {
    throw new Refusal(
      "not_possible",
      `Nothing was recorded: session ${session} belongs to task ${ofSession}, not to task ${task}. ` +
        `${otherTask}`,
    );
  }
}
