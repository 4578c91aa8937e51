import { toSqlTime } from "../../events/time.ts";
import { definitionOf, type Event } from "../../events/types/index.ts";
import { type Verb, verbs } from "../../events/types/signals.ts";
import { defineTable, flag, integer, json, means, nullable, oneOf, text } from "../table.ts";
import type { Board } from "./tables.ts";

export const signalsTable = defineTable("signals", {
  description: "Every signal as it came, late ones too.",
  columns: {
    id: means(integer, "its position"),
    task_id: integer,
    session_id: text,
    verb: oneOf(verbs),
    payload: means(json, "the arguments, in the order of the verb's definition, without task and session"),
    body: means(text, "the text for a timeline, Markdown"),
    blocking: means(nullable(flag), "of an ask: 1 if it blocks"),
    kind: means(nullable(text), "of learned, suggest and blocked the kind, of a flag the severity"),
    summary: means(nullable(text), "of done and partial"),
    remaining: means(nullable(text), "of partial"),
    reason: means(nullable(text), "of stuck"),
    discipline: means(
      nullable(text),
      "that the task had when the signal came; NULL if there was no such task",
    ),
    discipline_id: means(nullable(integer), "of that discipline, if it existed"),
    feature_id: means(
      nullable(integer),
      "of the feature that the signal names, or else of the feature that its task had, if it existed",
    ),
    actor: text,
    created: text,
  },
  key: ["id"],
  indexes: { by_task: ["task_id", "id"], by_session: ["session_id", "id"], by_verb: ["verb", "id"] },
});

export type SignalEvent = Event<`signal.${Verb}`>;

/** Keeps a signal with the discipline and the feature of its task now; later changes of the task leave them alone. */
export function keepSignal(board: Board, event: SignalEvent): void {
  const { task: task_id, session: session_id, ...args } = event.payload;
  // Which of these are there depends on the verb.
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
  // What follows the dot of a signal's type is its verb, by the definition of the type.
  return type.slice("signal.".length) as Verb;
}
