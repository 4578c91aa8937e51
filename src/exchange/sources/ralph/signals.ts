import { z } from "zod";
import { AGENT, HUMAN } from "../../../events/actors.ts";
import { name } from "../../../events/types/fields.ts";
import { signals, type Verb } from "../../../events/types/signals.ts";
import { ExchangeError } from "../../exchange-error.ts";
import type { LeftOut, Place } from "../../rows/row.ts";
import { parseRow } from "../row-schema.ts";
import { namesOf } from "./catalogue.ts";
import { contentOf, jsonOf, listColumn, refColumn, textColumn } from "./columns.ts";
import type { Columns, ForeignDatabase } from "./database.ts";

/** What stands in the timeline of a task: a comment, or a signal of a session. */
export type Entry = Place & {
  readonly key: string;
  readonly task: string;
  readonly content: unknown;
  readonly changes: readonly string[];
} & (
    | {
        readonly comment: { readonly author: string; readonly body: string };
        readonly actor: string | undefined;
      }
    | {
        readonly signal: { readonly verb: Verb; readonly args: Readonly<Record<string, unknown>> };
        /** Undefined where the source named none. */
        readonly session: string | undefined;
        /** Of a question that a human has answered. */
        readonly answer: string | undefined;
      }
  );

/**
 * The signals and comments of a Ralph database, in the order in which they were written: seed 000's `task_signals` with
 * a column for each argument, seed 002's `task_comments` with payloads in JSON. What stands in both is taken once.
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
      const created = textColumn.safeParse(row.created);
      const place = {
        at: `${table} ${row.id}`,
        what: "signal",
        time: created.success ? created.data : undefined,
      };
      try {
        const entry = table === "task_signals" ? flatEntry(row, place, featureOf) : commentEntry(row, place);
        const same =
          "signal" in entry
            ? JSON.stringify([entry.task, entry.session, entry.time, entry.signal])
            : undefined;
        if (table === "task_comments" && same !== undefined && taken.has(same))
          leftOut.push({ ...place, leftOut: "skipped", why: "the same signal stands in task_signals" });
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

/** By the time that the source gave, which may lack its fraction; rows of one time stay in order. */
function byTime(a: Place, b: Place): number {
  const [first, second] = [(a.time ?? "").replace("T", " "), (b.time ?? "").replace("T", " ")];
  return first < second ? -1 : first > second ? 1 : 0;
}

function flatEntry(row: Columns, place: Place, featureOf: (id: unknown) => string | undefined): Entry {
  const columns = parseRow(signalSchema, row);
  const { id, task_id, session_id, verb, options, blocking, feature_id, answer, text, ...texts } = columns;
  const base = { ...place, key: `task_signals ${id}`, task: task_id, content: contentOf(row) };
  if (verb === "signal") {
    // A remark without one of the eight verbs, as ralph4days keeps it beside them.
    return {
      ...base,
      what: "comment",
      changes: [],
      comment: { author: AGENT, body: text ?? "" },
      actor: AGENT,
    };
  }
  const changes: string[] = [];
  const known = verbOf(verb);
  // Seed 000 forgot the column in which a learning's text stands.
  const learned = text ?? texts.what ?? texts.summary ?? texts.detail;
  const all = { ...texts, text: learned, options, blocking: blocking === 1, feature: featureOf(feature_id) };
  return {
    ...base,
    what: known,
    changes,
    signal: { verb: known, args: argumentsOf(known, all) },
    session: session_id,
    answer,
  };
}

function commentEntry(row: Columns, place: Place): Entry {
  const columns = parseRow(commentSchema, row);
  const { id, task_id, session_id, author, signal_verb, signal_payload, signal_answered, body } = columns;
  const base = { ...place, key: `task_comments ${id}`, task: task_id, content: contentOf(row) };
  if (signal_verb === undefined) {
    const signed = author ?? columns.discipline ?? HUMAN;
    const fits = name.safeParse(signed).success;
    return {
      ...base,
      what: "comment",
      changes: fits ? [] : ["its author has no short name: signed by import"],
      comment: { author: fits ? signed : "import", body },
      actor: signed === HUMAN ? undefined : AGENT,
    };
  }
  const verb = verbOf(signal_verb);
  const payload = z.record(z.string(), z.unknown()).safeParse(jsonOf(signal_payload ?? ""));
  if (!payload.success) throw new ExchangeError("malformed", "signal_payload: it is no JSON object");
  const args = argumentsOf(verb, payload.data);
  const more = Object.keys(payload.data).filter((field) => !(field in args) && !ORIGIN.has(field));
  return {
    ...base,
    what: verb,
    changes: more.length > 0 ? [`left out of its payload: ${more.slice(0, 20).join(", ")}`] : [],
    signal: { verb, args },
    session: session_id,
    answer: signal_answered,
  };
}

/** What a payload may say of where it came from, which the row says too. */
const ORIGIN: ReadonlySet<string> = new Set(["task", "session"]);

function verbOf(said: string): Verb {
  const known = signals.find(({ verb }) => verb === said);
  if (known) return known.verb;
  throw new ExchangeError(
    "malformed",
    `its verb "${said}" is none of ${signals.map(({ verb }) => verb).join(", ")}`,
  );
}

/** The arguments of a verb that were given. @throws ExchangeError `malformed`: one is missing, or not legal */
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
  signal_verb: textColumn,
  signal_payload: textColumn,
  signal_answered: textColumn,
  body: z.string(),
});
