import type { SessionState } from "../../events/types/sessions.ts";
import type { Verb } from "../../events/types/signals.ts";
import { shorten } from "../../shorten.ts";
import type { Session } from "../board/tables.ts";
import type { ReadModel } from "../read-model.ts";
import type { CostSum } from "./costs.ts";
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
  readonly task: number;
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
  readModel: ReadModel,
  filter: SessionFilter,
  { row, limit }: Rows,
): SessionLine[] {
  const given = valuesOf(filter);
  const running = filter.running === false ? 0 : (count(readModel, RUNNING, given) ?? 0);
  const open = { row: Math.min(row, running), limit: Math.min(limit, Math.max(0, running - row)) };
  const ended = { row: Math.max(0, row - running), limit: filter.running ? 0 : limit - open.limit };
  return [
    ...readModel.prepared<Given & Rows, SessionRow>(pageOf(RUNNING)).all({ ...given, ...open }),
    ...readModel.prepared<Given & Rows, SessionRow>(pageOf(ENDED)).all({ ...given, ...ended }),
  ].map(lineOf);
}

/** A session as a list has it; undefined where there is none of the name. */
export function sessionLine(readModel: ReadModel, session: string): SessionLine | undefined {
  const sql = pageOf({ where: "s.id = :session", order: "s.id" });
  const given = { ...valuesOf({}), session, row: 0, limit: 1 };
  const row = readModel.prepared<typeof given, SessionRow>(sql).get(given);
  return row && lineOf(row);
}

/** How many sessions of a filter come before one in their list; null where it is not among them. */
export function sessionIndex(readModel: ReadModel, filter: SessionFilter, session: string): number | null {
  const given = { ...valuesOf(filter), session };
  const sql = `SELECT completed_at IS NULL AS running FROM sessions s WHERE s.id = :session AND ${FITS}`;
  const running = readModel.prepared<typeof given, { running: 0 | 1 }>(sql).get(given)?.running;
  if (running === undefined || (filter.running !== undefined && filter.running !== (running === 1)))
    return null;
  const before = (where: string) =>
    readModel
      .prepared<typeof given, { sessions: number }>(
        `SELECT count(*) AS sessions FROM sessions s, sessions o WHERE o.id = :session AND ${where} AND ${FITS}`,
      )
      .get(given)?.sessions ?? 0;
  if (running === 1) return before(`${RUNNING.where} AND s.started_position < o.started_position`);
  const open = filter.running === false ? 0 : count(readModel, RUNNING, valuesOf(filter));
  return open + before("(s.completed_at, s.ended_position) > (o.completed_at, o.ended_position)");
}

/**
 * A session that is longer than nine tenths of the first of a list, as the measure of an axis that they share; undefined
 * where there is none.
 */
export function longSession(
  readModel: ReadModel,
  filter: SessionFilter,
  now: string,
): Pick<Session, "started_at" | "completed_at"> | undefined {
  const sides = [
    ...(filter.running === false ? [] : [RUNNING]),
    ...(filter.running === true ? [] : [ENDED]),
  ].map(
    ({ where, order }) =>
      `SELECT * FROM (SELECT started_at, completed_at FROM sessions s WHERE ${where} AND ${FITS} ORDER BY ${order} LIMIT ${MEASURED})`,
  );
  const given = { ...valuesOf(filter), now };
  const lengths = readModel
    .prepared<typeof given, Pick<Session, "started_at" | "completed_at">>(
      `SELECT started_at, completed_at FROM (${sides.join(" UNION ALL ")})
       ORDER BY julianday(coalesce(completed_at, :now)) - julianday(started_at)`,
    )
    .all(given);
  return lengths[Math.ceil(lengths.length * 0.9) - 1];
}

/** So many of those that run, and of those that ended last, say how long sessions are. */
const MEASURED = 500;

/** How many sessions there are of a filter, how many of them run, and what they have cost together. */
export function sessionTotals(readModel: ReadModel, filter: SessionFilter): CostSum & { running: number } {
  const given = valuesOf(filter);
  const running = filter.running === false ? 0 : count(readModel, RUNNING, given);
  const sums = readModel
    .prepared<Given & { running: number | null }, CostSum>(COSTS)
    .get({ ...given, running: filter.running === undefined ? null : Number(filter.running) });
  return { ...(sums ?? { cost_micro_usd: null, sessions: 0, unknown: 0 }), running };
}

type Given = Readonly<Record<"task" | "outcome", number | string | null>>;

function valuesOf({ task, outcome }: SessionFilter): Given {
  return { task: task ?? null, outcome: outcome ?? null };
}

function count(readModel: ReadModel, which: Which, given: Given): number {
  const sql = `SELECT count(*) AS sessions FROM sessions s WHERE ${which.where} AND ${FITS}`;
  return readModel.prepared<Given, { sessions: number }>(sql).get(given)?.sessions ?? 0;
}

interface SessionRow extends Omit<SessionLine, "phases" | "phases_before" | "last_signals" | "failure"> {
  readonly states: number;
  readonly phases: string;
  readonly last_signals: string;
  readonly last_metadata: string | null;
}

function lineOf({ states, phases, last_signals, last_metadata, ...row }: SessionRow): SessionLine {
  const entered: EnteredState[] = JSON.parse(phases);
  const said: (Omit<SaidSignal, "text"> & { payload: string })[] = JSON.parse(last_signals);
  const { error = "" }: { error?: string } = JSON.parse(last_metadata ?? "{}");
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

interface Which {
  readonly where: string;
  readonly order: string;
}

const RUNNING: Which = { where: "s.completed_at IS NULL", order: "s.started_position" };
/** By the index of ends; times only grow with positions. */
const ENDED: Which = {
  where: "s.completed_at IS NOT NULL",
  order: "s.completed_at DESC, s.ended_position DESC",
};

const FITS = "(:task IS NULL OR s.task_id = :task) AND (:outcome IS NULL OR s.outcome = :outcome)";

const COSTS = `SELECT sum(a.cost_micro_usd) AS cost_micro_usd, count(*) AS sessions,
    count(*) - count(a.cost_micro_usd) AS unknown
  FROM sessions s LEFT JOIN agents a ON a.session_id = s.id
  WHERE ${FITS} AND (:running IS NULL OR (s.completed_at IS NULL) = :running)`;

function pageOf({ where, order }: Which): string {
  return `
  SELECT s.id AS session, s.task_id AS task, coalesce(t.title, '') AS task_title, s.current_state AS state, s.states,
    s.outcome, s.closing, s.irregular, s.signals, s.started_at, s.completed_at, s.ended_position,
    (SELECT json_group_array(json_object('state', p.state, 'entered_at', p.entered_at, 'position', p.position,
      'irregular', p.irregular)) FROM (
      SELECT * FROM (SELECT * FROM session_states WHERE session_id = s.id ORDER BY ordinal DESC LIMIT 200)
      ORDER BY ordinal) p) AS phases,
    (SELECT count(*) FROM session_states x JOIN session_states y
      ON y.session_id = x.session_id AND y.ordinal = x.ordinal + 1
      WHERE x.session_id = s.id AND x.state = 'testing' AND y.state = 'implementing') AS returns,
    (SELECT json_group_array(json_object('id', g.id, 'verb', g.verb, 'payload', g.payload))
      FROM (SELECT * FROM signals WHERE session_id = s.id ORDER BY id DESC LIMIT 3) g) AS last_signals,
    (SELECT metadata FROM session_states WHERE session_id = s.id AND ordinal = s.states) AS last_metadata,
    a.turns, a.cost_micro_usd
  FROM (SELECT * FROM sessions s WHERE ${where} AND ${FITS} ORDER BY ${order} LIMIT :limit OFFSET :row) s
    LEFT JOIN tasks t ON t.id = s.task_id
    LEFT JOIN agents a ON a.session_id = s.id
  ORDER BY ${order}`;
}
