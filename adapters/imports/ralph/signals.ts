import { z } from "zod";
import {
  AGENT,
  ExchangeError,
  fitPriority,
  HUMAN,
  type LeftOut,
  name,
  type PayloadOf,
  type Place,
  parsedJson,
  signals,
  type Verb,
} from "../core.ts";
import { parseRow } from "../row-schema.ts";
import { namesOf } from "./catalogue.ts";
import { contentOf, listColumn, refColumn, textColumn } from "./columns.ts";
import type { Columns, ForeignDatabase } from "./database.ts";

/** A timeline entry of a task: a comment, or a signal of a session. */
export type Entry = Place & {
  readonly key: string;
  readonly task: string;
  readonly content: unknown;
  readonly changes: readonly string[];
} & (
    | {
        readonly comment: Omit<PayloadOf<"comment.added">, "task">;
        readonly actor: string | undefined;
      }
    | {
        readonly signal: { readonly verb: Verb; readonly args: Readonly<Record<string, unknown>> };
        /** Undefined if the source has none. */
        readonly session: string | undefined;
        /** The answer to a question, if a human gave one. */
        readonly answer: string | undefined;
      }
  );

/**
 * The signals and comments of a Ralph database, in the order of writing: `task_signals` with a
 * column for each argument, or in an older form with a JSON payload, and `task_comments`, original
 * or migrated from signals. Duplicates are imported once.
 */
export function timelineOf(database: ForeignDatabase): {
  readonly entries: Entry[];
  readonly leftOut: LeftOut[];
} {
  const entries: Entry[] = [];
  const leftOut: LeftOut[] = [];
  const featureOf = namesOf(database.rows("features"));
  const taken = new Set<string>();
  for (const table of ["task_signals", "task_comments"] as const) {
    for (const row of database.rows(table)) {
      const created = textColumn.safeParse(row.created ?? row.created_at);
      const place = {
        at: `${table} ${row.id}`,
        what: "signal",
        time: created.success ? created.data : undefined,
      };
      try {
        const entry =
          table === "task_signals" ? signalEntry(row, place, featureOf) : commentEntry(row, place);
        const same =
          "signal" in entry
            ? JSON.stringify([entry.task, entry.session, entry.time, entry.signal])
            : undefined;
        if (table === "task_comments" && same !== undefined && taken.has(same))
          leftOut.push({ ...place, leftOut: "skipped", why: "the same signal is in task_signals" });
        else entries.push(entry);
        if (same !== undefined) taken.add(same);
      } catch (error) {
        if (!(error instanceof ExchangeError)) throw error;
        leftOut.push({ ...place, leftOut: "refused", why: error.message });
      }
    }
  }
  return { entries: entries.sort(byTime), leftOut };
}

/** Sorted by the source's time, which may lack its fraction; equal times keep their order. */
function byTime(a: Place, b: Place): number {
  const [first, second] = [(a.time ?? "").replace("T", " "), (b.time ?? "").replace("T", " ")];
  return first < second ? -1 : first > second ? 1 : 0;
}

function signalEntry(row: Columns, place: Place, featureOf: (id: unknown) => string | undefined): Entry {
  const columns = parseRow(signalSchema, row);
  const { id, task_id, session_id, verb, payload, answer, text } = columns;
  const base = { ...place, key: `task_signals ${id}`, task: task_id, content: contentOf(row) };
  if (verb === "signal") {
    // A remark without one of the eight verbs; ralph4days stores them in the same table.
    return {
      ...base,
      what: "comment",
      changes: [],
      comment: { author: AGENT, body: text ?? "" },
      actor: AGENT,
    };
  }
  const said =
    payload === undefined ? saidInColumns(columns, featureOf) : saidInPayload(verb, payload, "payload");
  return { ...base, ...said, session: session_id, answer };
}

/** A signal's content, with notes about it. */
type Said = Pick<Extract<Entry, { signal: unknown }>, "what" | "changes" | "signal">;

function saidInColumns(
  { verb, options, blocking, feature_id, text, ...texts }: z.output<typeof signalSchema>,
  featureOf: (id: unknown) => string | undefined,
): Said {
  const known = verbOf(verb);
  // Some databases lack the column with a learning's text.
  const learned = text ?? texts.what ?? texts.summary ?? texts.detail;
  const all = { ...texts, text: learned, options, blocking: blocking === 1, feature: featureOf(feature_id) };
  return { what: known, changes: [], signal: { verb: known, args: argumentsOf(known, all) } };
}

function saidInPayload(verb: string, json: string, column: string): Said {
  const known = verbOf(verb);
  const payload = z.record(z.string(), z.unknown()).safeParse(parsedJson(json));
  if (!payload.success) throw new ExchangeError("malformed", `${column} is not a JSON object`);
  const args = argumentsOf(known, payload.data);
  const more = Object.keys(payload.data).filter((field) => !(field in args) && !ORIGIN.has(field));
  return {
    what: known,
    changes: more.length > 0 ? [`left out of its payload: ${more.slice(0, 20).join(", ")}`] : [],
    signal: { verb: known, args },
  };
}

function commentEntry(row: Columns, place: Place): Entry {
  const columns = parseRow(commentSchema, row);
  const { id, task_id, session_id, signal_verb, signal_payload, signal_answered } = columns;
  const base = { ...place, key: `task_comments ${id}`, task: task_id, content: contentOf(row) };
  if (signal_verb === undefined) return { ...base, what: "comment", ...plainComment(columns) };
  const said = saidInPayload(signal_verb, signal_payload ?? "", "signal_payload");
  return { ...base, ...said, session: session_id, answer: signal_answered };
}

function plainComment({
  author,
  discipline,
  agent_task_id,
  priority,
  body,
}: z.output<typeof commentSchema>): Pick<
  Extract<Entry, { comment: unknown }>,
  "changes" | "comment" | "actor"
> {
  const changes: string[] = [];
  const signed = author ?? discipline ?? HUMAN;
  const fits = name.safeParse(signed).success;
  if (!fits) changes.push("its author has no short name: signed by import");
  if (agent_task_id !== undefined) changes.push(`left out: its agent_task_id ${agent_task_id}`);
  return {
    changes,
    comment: {
      author: fits ? signed : "import",
      body,
      ...(discipline !== undefined && { discipline }),
      ...(priority !== undefined && { priority: fitPriority(priority, changes) }),
    },
    // Ralph's migration signs every comment as a human's; one named after an agent's task is that
    // agent's.
    actor: signed === HUMAN && agent_task_id === undefined ? undefined : AGENT,
  };
}

/** Origin fields in a payload, which the row has too. */
const ORIGIN: ReadonlySet<string> = new Set(["task", "session"]);

function verbOf(said: string): Verb {
  const known = signals.find(({ verb }) => verb === said);
  if (known) return known.verb;
  throw new ExchangeError(
    "malformed",
    `its verb "${said}" is not one of ${signals.map(({ verb }) => verb).join(", ")}`,
  );
}

/** The given arguments of a verb. @throws ExchangeError `malformed`: one is missing or invalid */
function argumentsOf(verb: Verb, given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const definition = signals.find((signal) => signal.verb === verb);
  const shape = definition?.arguments.shape ?? {};
  const args = Object.fromEntries(
    Object.entries(given).filter(([field, value]) => field in shape && value !== undefined && value !== null),
  );
  return definition ? parseRow(definition.arguments, args) : args;
}

const timed = { id: refColumn, task_id: refColumn, session_id: textColumn };

const signalSchema = z.object({
  ...timed,
  verb: z.string(),
  payload: textColumn,
  summary: textColumn,
  remaining: textColumn,
  reason: textColumn,
  question: textColumn,
  options: listColumn.transform((list) => (list.length > 0 ? list : undefined)),
  preferred: textColumn,
  blocking: z.number().nullish(),
  what: textColumn,
  severity: textColumn,
  category: textColumn,
  kind: textColumn,
  scope: textColumn,
  rationale: textColumn,
  why: textColumn,
  feature_id: refColumn.nullish(),
  on: textColumn,
  detail: textColumn,
  answer: textColumn,
  text: textColumn,
});

const commentSchema = z.object({
  ...timed,
  author: textColumn,
  discipline: textColumn,
  agent_task_id: textColumn,
  priority: textColumn,
  signal_verb: textColumn,
  signal_payload: textColumn,
  signal_answered: textColumn,
  body: z.string(),
});
