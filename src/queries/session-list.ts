import { type AliasedExpression, type SqlBool, sql } from "kysely";
import type { SessionState } from "../events/types/sessions.ts";
import type { Verb } from "../events/types/signals.ts";
import { shorten } from "../lib/shorten.ts";
import type { Session } from "../projections/board/tables.ts";
import { parseColumn } from "../projections/parse-column.ts";
import { toFlag } from "../projections/table.ts";
import { fits, type Open, question, type RowOf, type Tables } from "../read-model/question.ts";
import type { ReadView } from "../read-model/read-view.ts";
import { type CostSum, sumOfSessions } from "./costs.ts";
import { LAST_STATES } from "./last-states.ts";
import { firstArgument } from "./signal-text.ts";
import type { Rows } from "./task-order.ts";

/** Which sessions a list is of; what is absent does not matter. */
export interface SessionFilter {
  readonly task?: number | undefined;
  readonly outcome?: NonNullable<Session["outcome"]> | undefined;
  /** True: those that have not ended; false: those that have. */
  readonly running?: boolean | undefined;
}

/** A session in a list: where it is, how it came there, what it said last. Times of states are ISO 8601, others the tables'. */
export interface SessionLine
  extends Pick<
    Session,
    "outcome" | "closing" | "irregular" | "signals" | "started_at" | "completed_at" | "ended_position"
  > {
  readonly session: string;
  /** Null for a session without one. */
  readonly task: number | null;
  /** Empty where the task was deleted. */
  readonly task_title: string;
  readonly state: SessionState;
  /** The states since the start; of a long session the last 200. */
  readonly phases: readonly EnteredState[];
  /** How many states came before those. */
  readonly phases_before: number;
  /** How often it went from testing back to implementing. */
  readonly returns: number;
  /** Of its agent's program; null is unknown, which is not 0. */
  readonly turns: number | null;
  readonly cost_micro_usd: number | null;
  /** The last three, the last one first. */
  readonly last_signals: readonly SaidSignal[];
  /** Of one that failed: the phase in which it was then, and why it failed. */
  readonly failure: { readonly phase: SessionState; readonly reason: string } | null;
}

export interface EnteredState {
  readonly state: SessionState;
  readonly entered_at: string;
  readonly position: number;
  readonly irregular: 0 | 1;
}

interface SaidSignal {
  readonly id: number;
  readonly verb: Verb;
  /** Its first argument, cut. */
  readonly text: string;
}

/** A page of sessions: first those that run, in the order of their starts, then the others, the last one to end first. */
export function sessionLines(
  readModel: ReadView,
  filter: SessionFilter,
  { row, limit }: Rows,
): SessionLine[] {
  const given = valuesOf(filter);
  const running = countRunning(readModel, filter);
  const open = { row: Math.min(row, running), limit: Math.min(limit, Math.max(0, running - row)) };
  const ended = { row: Math.max(0, row - running), limit: filter.running ? 0 : limit - open.limit };
  return [
    ...readModel.all(PAGES.running, { ...given, ...open }),
    ...readModel.all(PAGES.ended, { ...given, ...ended }),
  ].map(lineOf);
}

/** A session as a list has it; undefined where there is none of the name. */
export function sessionLine(readModel: ReadView, session: string): SessionLine | undefined {
  const row = readModel.get(LINE, { session });
  return row && lineOf(row);
}

/** How many sessions of a filter come before one in their list; null where it is not among them. */
export function sessionIndex(readModel: ReadView, filter: SessionFilter, session: string): number | null {
  const given = { ...valuesOf(filter), session };
  const found = readModel.get(IS_RUNNING, given);
  if (!found) return null;
  const isRunning = found.running === 1;
  if (filter.running !== undefined && filter.running !== isRunning) return null;
  const before = readModel.get(isRunning ? BEFORE.running : BEFORE.ended, given)?.sessions ?? 0;
  return isRunning ? before : before + countRunning(readModel, filter);
}

/**
 * A session that is longer than nine tenths of the first of a list, as the measure of an axis that they share; undefined
 * where there is none.
 */
export function longSession(
  readModel: ReadView,
  filter: SessionFilter,
  now: string,
): Pick<Session, "started_at" | "completed_at"> | undefined {
  const which = filter.running === undefined ? "all" : filter.running ? "running" : "ended";
  const lengths = readModel.all(LENGTHS[which], { ...valuesOf(filter), now });
  return lengths[Math.ceil(lengths.length * 0.9) - 1];
}

/** How many sessions there are of a filter, how many of them run, and what they have cost together. */
export function sessionTotals(readModel: ReadView, filter: SessionFilter): CostSum & { running: number } {
  const given = valuesOf(filter);
  const sums = readModel.get(COSTS, {
    ...given,
    running: filter.running === undefined ? null : toFlag(filter.running),
  });
  return {
    ...(sums ?? { cost_micro_usd: null, sessions: 0, unknown: 0 }),
    running: countRunning(readModel, filter),
  };
}

type Sought = { readonly task: number | null; readonly outcome: Session["outcome"] };

function valuesOf({ task, outcome }: SessionFilter): Sought {
  return { task: task ?? null, outcome: outcome ?? null };
}

function countRunning(readModel: ReadView, filter: SessionFilter): number {
  return filter.running === false ? 0 : (readModel.get(RUNNING, valuesOf(filter))?.sessions ?? 0);
}

function lineOf({ states, phases, last_signals, last_metadata, ...row }: RowOf<typeof LINE>): SessionLine {
  const entered: EnteredState[] = parseColumn(phases);
  const said: (Omit<SaidSignal, "text"> & { payload: string })[] = parseColumn(last_signals);
  const { error = "" }: { error?: string } = parseColumn(last_metadata ?? "{}");
  return {
    ...row,
    phases: entered,
    phases_before: states - entered.length,
    last_signals: said.map(({ payload, ...one }) => ({
      ...one,
      text: shorten(firstArgument(payload), TEXT_LENGTH),
    })),
    failure:
      row.state === "failed"
        ? { phase: entered.at(-2)?.state ?? "idle", reason: shorten(error, TEXT_LENGTH) }
        : null,
  };
}

const TEXT_LENGTH = 200;

/** Those of one task are found by its index: a condition that fits all tasks, too, would keep SQLite from it. */
function soughtSessions(tables: Tables, given: Open<Sought>) {
  const all = tables.selectFrom("sessions").selectAll();
  const ofAnyTask = all.where(sql<SqlBool>`${given("task")} IS NULL`);
  const ofOneTask = all.where(({ ref }) => sql<SqlBool>`${ref("task_id")} = ${given("task")}`);
  return tables
    .selectFrom(ofAnyTask.unionAll(ofOneTask).as("s"))
    .where(({ ref }) => fits(ref("s.outcome"), given("outcome")));
}

const RUNNING = question<Sought>()((tables, given) =>
  soughtSessions(tables, given)
    .where("s.completed_at", "is", null)
    .select(({ fn }) => fn.countAll<number>().as("sessions")),
);

const COSTS = question<Sought & { running: 0 | 1 | null }>()((tables, given) =>
  sumOfSessions(
    tables,
    soughtSessions(tables, given)
      .where((eb) => fits(eb.parens(eb("s.completed_at", "is", null)).$castTo<0 | 1>(), given("running")))
      .select("s.id")
      .as("s"),
  ),
);

const IS_RUNNING = question<Sought & { session: string }>()((tables, given) =>
  soughtSessions(tables, given)
    .where("s.id", "=", given("session"))
    .select((eb) => eb("s.completed_at", "is", null).$castTo<0 | 1>().as("running")),
);

/** How many come before a session: of those that run, or that have ended. */
const BEFORE = {
  running: question<Sought & { session: string }>()((tables, given) =>
    soughtSessions(tables, given)
      .innerJoin("sessions as o", (join) => join.on("o.id", "=", given("session")))
      .where("s.completed_at", "is", null)
      .whereRef("s.started_position", "<", "o.started_position")
      .select(({ fn }) => fn.countAll<number>().as("sessions")),
  ),
  ended: question<Sought & { session: string }>()((tables, given) =>
    soughtSessions(tables, given)
      .innerJoin("sessions as o", (join) => join.on("o.id", "=", given("session")))
      .where(({ eb, refTuple }) =>
        eb(
          refTuple("s.completed_at", "s.ended_position"),
          ">",
          refTuple("o.completed_at", "o.ended_position"),
        ),
      )
      .select(({ fn }) => fn.countAll<number>().as("sessions")),
  ),
};

function runningFirst(tables: Tables, given: Open<Sought>) {
  return soughtSessions(tables, given).where("s.completed_at", "is", null).orderBy("s.started_position");
}

/** By the index of ends; times only grow with positions. */
function lastEndedFirst(tables: Tables, given: Open<Sought>) {
  return soughtSessions(tables, given)
    .where("s.completed_at", "is not", null)
    .orderBy("s.completed_at", "desc")
    .orderBy("s.ended_position", "desc");
}

type Sessions = AliasedExpression<Session, "s">;

/** Each of some sessions as a list has it. */
function linesOf(tables: Tables, some: Sessions) {
  return tables
    .selectFrom(some)
    .leftJoin("tasks as t", "t.id", "s.task_id")
    .leftJoin("agents as a", "a.session_id", "s.id")
    .select(["s.id as session", "s.task_id as task"])
    .select(({ fn, val }) => fn.coalesce("t.title", val("")).as("task_title"))
    .select(["s.current_state as state", "s.states", "s.outcome", "s.closing", "s.irregular", "s.signals"])
    .select(["s.started_at", "s.completed_at", "s.ended_position"])
    .select((session) => [
      session
        .selectFrom(LAST_STATES)
        .select(({ fn, ref, val }) =>
          fn<string>("json_group_array", [
            fn("json_object", [
              ...[val("state"), ref("p.state"), val("entered_at"), ref("p.entered_at")],
              ...[val("position"), ref("p.position"), val("irregular"), ref("p.irregular")],
            ]),
          ]).as("phases"),
        )
        .$asScalar()
        .$notNull()
        .as("phases"),
      session
        .selectFrom("session_states as x")
        .innerJoin("session_states as y", (join) =>
          join
            .onRef("y.session_id", "=", "x.session_id")
            .on(({ eb, ref, lit }) => eb("y.ordinal", "=", eb(ref("x.ordinal"), "+", lit(1)))),
        )
        .whereRef("x.session_id", "=", "s.id")
        .where("x.state", "=", "testing")
        .where("y.state", "=", "implementing")
        .select(({ fn }) => fn.countAll<number>().as("returns"))
        .$asScalar()
        .$notNull()
        .as("returns"),
      session
        .selectFrom((last) =>
          last
            .selectFrom("signals")
            .selectAll()
            .whereRef("session_id", "=", "s.id")
            .orderBy("id", "desc")
            .limit(3)
            .as("g"),
        )
        .select(({ fn, ref, val }) =>
          fn<string>("json_group_array", [
            fn("json_object", [
              ...[val("id"), ref("g.id"), val("verb"), ref("g.verb"), val("payload"), ref("g.payload")],
            ]),
          ]).as("signals"),
        )
        .$asScalar()
        .$notNull()
        .as("last_signals"),
      session
        .selectFrom("session_states")
        .whereRef("session_id", "=", "s.id")
        .whereRef("ordinal", "=", "s.states")
        .select("metadata")
        .$asScalar()
        .as("last_metadata"),
    ])
    .select(["a.turns", "a.cost_micro_usd"]);
}

const LINE = question<{ session: string }>()((tables, given) =>
  linesOf(tables, tables.selectFrom("sessions").selectAll().where("id", "=", given("session")).as("s")),
);

const PAGES = {
  running: question<Sought & Rows>()((tables, given) => {
    const page = runningFirst(tables, given).selectAll().limit(given("limit")).offset(given("row"));
    return linesOf(tables, page.as("s")).orderBy("s.started_position");
  }),
  ended: question<Sought & Rows>()((tables, given) => {
    const page = lastEndedFirst(tables, given).selectAll().limit(given("limit")).offset(given("row"));
    return linesOf(tables, page.as("s"))
      .orderBy("s.completed_at", "desc")
      .orderBy("s.ended_position", "desc");
  }),
};

/** So many of those that run, and of those that ended last, say how long sessions are. */
const MEASURED = 500;

function lengthsOf(which: "all" | "running" | "ended") {
  return question<Sought & { now: string }>()((tables, given) => {
    // With what they are ordered by: otherwise SQLite sorts all sessions.
    const columns = ["started_at", "completed_at", "started_position", "ended_position"] as const;
    const running = tables
      .selectFrom(runningFirst(tables, given).select(columns).limit(MEASURED).as("r"))
      .selectAll();
    const ended = tables
      .selectFrom(lastEndedFirst(tables, given).select(columns).limit(MEASURED).as("e"))
      .selectAll();
    const sides = { running, ended, all: running.unionAll(ended) };
    return tables
      .selectFrom(sides[which].as("s"))
      .select(["started_at", "completed_at"])
      .orderBy(
        ({ ref }) =>
          sql`julianday(coalesce(${ref("completed_at")}, ${given("now")})) - julianday(${ref("started_at")})`,
      );
  });
}

const LENGTHS = { all: lengthsOf("all"), running: lengthsOf("running"), ended: lengthsOf("ended") };
