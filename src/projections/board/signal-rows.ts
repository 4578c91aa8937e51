import { definitionOf, type Event } from "../../events/types/index.ts";
import type { Verb } from "../../events/types/signals.ts";
import { toSqlTime } from "../../lib/time.ts";
import type { Board } from "./tables.ts";

export type SignalEvent = Event<`signal.${Verb}`>;

/**
 * Stores a signal with its task's current discipline and feature; later changes of the task do not
 * affect it.
 */
export function keepSignal(board: Board, event: SignalEvent): void {
  const { task: task_id, session: session_id, ...args } = event.payload;
  // Which columns are set depends on the verb.
  const { summary, remaining, reason, kind, severity, blocking, feature }: Partial<Record<string, unknown>> =
    args;
  const task = board.tasks.get(task_id);
  const featureName = textOrNull(feature) ?? task?.feature;
  board.signals.insert({
    id: event.position,
    task_id,
    session_id,
    verb: verbOf(event.type),
    payload: JSON.stringify(args),
    body: definitionOf(event.type)?.timeline(event.payload) ?? "",
    blocking: typeof blocking === "boolean" ? (blocking ? 1 : 0) : null,
    kind: textOrNull(kind) ?? textOrNull(severity),
    summary: textOrNull(summary),
    remaining: textOrNull(remaining),
    reason: textOrNull(reason),
    discipline: task?.discipline ?? null,
    discipline_id: task ? (board.disciplineNames.get(task.discipline)?.position ?? null) : null,
    feature_id: featureName === undefined ? null : (board.featureNames.get(featureName)?.position ?? null),
    actor: event.actor,
    created: toSqlTime(event.recordedAt),
  });
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function verbOf(type: `signal.${Verb}`): Verb {
  // The definition of a signal's type guarantees that its verb follows the dot.
  return type.slice("signal.".length) as Verb;
}
