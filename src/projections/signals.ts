import { toSqlTime } from "../events/time.ts";
import { definitionOf, type Event } from "../events/types/index.ts";
import { signals as definitions, type Verb, verbs } from "../events/types/signals.ts";
import { defineProjection, type RowsOf } from "./projection.ts";
import { defineTable, flag, integer, json, means, nullable, oneOf, text } from "./table.ts";

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
    actor: text,
    created: text,
  },
  key: ["id"],
  indexes: { by_task: ["task_id", "id"], by_session: ["session_id", "id"], by_verb: ["verb", "id"] },
});

const tables = { signals: signalsTable };

export const signals = defineProjection({
  name: "signals",
  version: 2,
  tables,
  on: Object.fromEntries(definitions.map(({ type }) => [type, keepSignal])),
});

function keepSignal(event: Event<`signal.${Verb}`>, rows: RowsOf<typeof tables>): void {
  const { task, session, ...args } = event.payload;
  const values: Record<string, unknown> = args;
  rows.signals.insert({
    id: event.position,
    task_id: task,
    session_id: session,
    verb: verbOf(event.type),
    payload: JSON.stringify(args),
    body: definitionOf(event.type)?.timeline(event.payload) ?? "",
    blocking: typeof values.blocking === "boolean" ? (values.blocking ? 1 : 0) : null,
    kind:
      typeof values.kind === "string"
        ? values.kind
        : typeof values.severity === "string"
          ? values.severity
          : null,
    actor: event.actor,
    created: toSqlTime(event.recordedAt),
  });
}

function verbOf(type: `signal.${Verb}`): Verb {
  // What follows the dot of a signal's type is its verb, by the definition of the type.
  return type.slice("signal.".length) as Verb;
}
