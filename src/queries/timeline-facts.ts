import { type AliasableExpression, type Expression, expressionBuilder, type RawBuilder, sql } from "kysely";
import { AGENT, PROGRAMS } from "../events/actors.ts";
import type { Verb } from "../events/types/signals.ts";
import type { Schema, Tables } from "../read-model/question.ts";

/** What the cards of a task's history are about; the card of a signal has the kind of its verb. */
export const otherKinds = [
  "comment",
  "act",
  "gate",
  "status",
  "session",
  "phase",
  "prompt",
  "merge",
] as const;
export type CardKind = Verb | (typeof otherKinds)[number];

/** Whose words or act a card shows; null for what the program did. */
export type By = "agent" | "human" | null;

/** Something that happened to a task. */
interface Fact {
  /** The position of its event; of a gate's run that of its end, or of its start while it runs. */
  readonly id: number;
  readonly kind: CardKind;
  readonly session_id: string | null;
  readonly by: By;
  /** See docs/rules.md, Sessions. */
  readonly late: 0 | 1;
  readonly author: string | null;
  /** Who wrote or did it, as the log names them. */
  readonly actor: string | null;
  /** Its words, in which a filter searches. */
  readonly body: string;
  readonly payload: string | null;
  readonly created: string | null;
  readonly updated: string | null;
  /** Of a gate's run its id, of a phase its ordinal in the session. */
  readonly ref: number | null;
}

/** All that happened to a task: a query whose parts go by indexes of the task, in no order. */
export function factsOf(tables: From, task: RawBuilder<number>) {
  return commentsOf(tables, task)
    .unionAll(signalsOf(tables, task))
    .unionAll(actsOf(tables, task))
    .unionAll(gateRunsOf(tables, task))
    .unionAll(sessionStartsOf(tables, task))
    .unionAll(sessionEndsOf(tables, task))
    .unionAll(phasesOf(tables, task))
    .unionAll(promptsOf(tables, task))
    .unionAll(otherChangesOf(tables, task));
}

/** What builds a query, on its own or as a part of another one. */
type From = Pick<Tables, "selectFrom">;
type Columns = { readonly [Name in keyof Fact]: AliasableExpression<Fact[Name]> };

const { val } = expressionBuilder<Schema, never>();
const NONE = sql<null>`NULL`;
const ABSENT = {
  session_id: NONE,
  by: NONE,
  late: sql<0>`0`,
  author: NONE,
  actor: NONE,
  body: sql<string>`''`,
  payload: NONE,
  updated: NONE,
  ref: NONE,
};
type Absent = keyof typeof ABSENT;

/** The columns of a fact in the one order in which they are united. */
function fact(own: Omit<Columns, Absent> & Partial<Pick<Columns, Absent>>) {
  const of: Columns = { ...ABSENT, ...own };
  return [
    of.id.as("id"),
    of.kind.as("kind"),
    of.session_id.as("session_id"),
    of.by.as("by"),
    of.late.as("late"),
    of.author.as("author"),
    of.actor.as("actor"),
    of.body.as("body"),
    of.payload.as("payload"),
    of.created.as("created"),
    of.updated.as("updated"),
    of.ref.as("ref"),
  ] as const;
}

/** An agent, or anybody else. */
function writer(actor: Expression<string>): RawBuilder<By> {
  return sql<By>`iif(${actor} = ${val(AGENT)}, 'agent', 'human')`;
}

/** The same where the actor may be a program (src/events/actors.ts), which is neither. */
function doer(actor: Expression<string>): RawBuilder<By> {
  const isOne = PROGRAMS.map((name) => sql`(lower(${actor}) || ':') GLOB ${val(`${name}:*`)}`);
  const isProgram = sql`(${sql.join(isOne, sql` OR `)})`;
  return sql<By>`CASE WHEN ${actor} = ${val(AGENT)} THEN 'agent' WHEN NOT ${isProgram} THEN 'human' END`;
}

function commentsOf(tables: From, task: RawBuilder<number>) {
  return tables
    .selectFrom("comments as c")
    .where("c.task_id", "=", task)
    .select(({ ref }) =>
      fact({
        id: ref("c.id"),
        kind: val<CardKind>("comment"),
        by: writer(ref("c.actor")),
        author: ref("c.author"),
        actor: ref("c.actor"),
        body: ref("c.body"),
        created: ref("c.created"),
        updated: ref("c.updated"),
      }),
    );
}

function signalsOf(tables: From, task: RawBuilder<number>) {
  return tables
    .selectFrom("signals as s")
    .leftJoin("sessions as x", "x.id", "s.session_id")
    .where("s.task_id", "=", task)
    .select(({ eb, fn, lit, or, ref }) =>
      fact({
        id: ref("s.id"),
        kind: ref("s.verb"),
        session_id: ref("s.session_id"),
        by: writer(ref("s.actor")),
        late: fn
          .coalesce(
            or([
              eb("x.id", "is", null),
              eb("x.task_id", "<>", ref("s.task_id")),
              eb("s.id", ">", ref("x.ended_position")),
            ]),
            lit(0),
          )
          .$castTo<0 | 1>(),
        actor: ref("s.actor"),
        body: ref("s.body"),
        payload: ref("s.payload"),
        created: ref("s.created"),
      }),
    );
}

function actsOf(tables: From, task: RawBuilder<number>) {
  return tables
    .selectFrom("task_acts as a")
    .where("a.task_id", "=", task)
    .select(({ ref }) =>
      fact({
        id: ref("a.position"),
        kind: sql<CardKind>`iif(${ref("a.type")} GLOB 'merge.*' OR ${ref("a.type")} GLOB 'workspace.*', 'merge', 'act')`,
        by: doer(ref("a.actor")),
        actor: ref("a.actor"),
        body: ref("a.body"),
        created: ref("a.created"),
      }),
    );
}

function gateRunsOf(tables: From, task: RawBuilder<number>) {
  return tables
    .selectFrom("gate_runs as r")
    .where("r.task_id", "=", task)
    .select(({ fn, ref }) =>
      fact({
        id: fn.coalesce("r.ended_position", "r.id"),
        kind: val<CardKind>("gate"),
        session_id: ref("r.session_id"),
        body: sql<string>`coalesce(${ref("r.command")}, '') || coalesce(char(10) || ${ref("r.explanation")}, '')`,
        created: fn.coalesce("r.completed_at", "r.started_at"),
        ref: ref("r.id"),
      }),
    );
}

/** Without those that a signal started, which has a card itself. */
function sessionStartsOf(tables: From, task: RawBuilder<number>) {
  return tables
    .selectFrom("sessions as s")
    .where("s.task_id", "=", task)
    .where("s.implicit", "=", 0)
    .select(({ ref }) =>
      fact({
        id: ref("s.started_position"),
        kind: val<CardKind>("session"),
        session_id: ref("s.id"),
        created: ref("s.started_at"),
      }),
    );
}

function sessionEndsOf(tables: From, task: RawBuilder<number>) {
  return tables
    .selectFrom("sessions as s")
    .where("s.task_id", "=", task)
    .where("s.ended_position", "is not", null)
    .select(({ fn, ref }) =>
      fact({
        id: ref("s.ended_position").$notNull(),
        kind: val<CardKind>("session"),
        session_id: ref("s.id"),
        body: fn.coalesce("s.end_reason", sql<string>`''`),
        created: ref("s.completed_at"),
      }),
    );
}

/** The reported ones: the first and the last are the session's start and end. */
function phasesOf(tables: From, task: RawBuilder<number>) {
  return tables
    .selectFrom("sessions as s")
    .innerJoin("session_states as n", "n.session_id", "s.id")
    .where("s.task_id", "=", task)
    .whereRef("n.position", "<>", "s.started_position")
    .where(({ eb, fn, lit, ref }) => eb("n.position", "<>", fn.coalesce(ref("s.ended_position"), lit(0))))
    .select(({ ref }) =>
      fact({
        id: ref("n.position"),
        kind: val<CardKind>("phase"),
        session_id: ref("s.id"),
        body: ref("n.state").$castTo<string>(),
        created: ref("n.entered_at"),
        ref: ref("n.ordinal"),
      }),
    );
}

function promptsOf(tables: From, task: RawBuilder<number>) {
  return tables
    .selectFrom("prompts as p")
    .where("p.task_id", "=", task)
    .select(({ ref }) =>
      fact({
        id: ref("p.position"),
        kind: val<CardKind>("prompt"),
        session_id: ref("p.session_id"),
        created: ref("p.created"),
      }),
    );
}

/** Changes of the status by events that have no card here, such as those of other tasks. */
function otherChangesOf(tables: From, task: RawBuilder<number>) {
  return tables
    .selectFrom("status_changes as c")
    .where("c.task_id", "=", task)
    .where(({ and, exists, not, selectFrom }) => {
      const cards = [
        selectFrom("task_acts as a")
          .select("a.position")
          .whereRef("a.position", "=", "c.position")
          .whereRef("a.task_id", "=", "c.task_id"),
        selectFrom("comments as m")
          .select("m.id")
          .whereRef("m.id", "=", "c.position")
          .whereRef("m.task_id", "=", "c.task_id"),
        selectFrom("signals as g")
          .select("g.id")
          .whereRef("g.id", "=", "c.position")
          .whereRef("g.task_id", "=", "c.task_id"),
        selectFrom("sessions as s")
          .select("s.id")
          .whereRef("s.id", "=", "c.session_id")
          .whereRef("s.task_id", "=", "c.task_id")
          .where(({ eb, or, ref }) =>
            or([
              eb("s.started_position", "=", ref("c.position")),
              eb("s.ended_position", "=", ref("c.position")),
            ]),
          ),
      ];
      return and(cards.map((card) => not(exists(card))));
    })
    .groupBy("c.position")
    .select(({ ref }) =>
      fact({
        id: ref("c.position"),
        kind: val<CardKind>("status"),
        body: ref("c.to_status").$castTo<string>(),
        created: ref("c.created"),
      }),
    );
}
