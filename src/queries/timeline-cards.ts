import type { SessionState } from "../events/types/sessions.ts";
import { findingInWords } from "../events/types/work-words.ts";
import type { Blocker, Flag, Question, Session, Suggestion } from "../projections/board/tables.ts";
import { parseColumn } from "../projections/parse-column.ts";
import type { promptsTable } from "../projections/prompts.ts";
import type { Row } from "../projections/table.ts";
import { question, type RowOf, valuesIn } from "../read-model/question.ts";
import type { ReadView } from "../read-model/read-view.ts";
import { type GateRunHead, gateRunHeads, runsInSessions } from "./gate-runs.ts";
import type { Rows } from "./task-order.ts";
import type { By, CardKind } from "./timeline-facts.ts";
import { type CardValues, matchingCards, parametersOf, type TimelineFilter } from "./timeline-rows.ts";

/** Something that happened to a task, with its outcome. */
export interface TimelineCard {
  readonly position: number;
  readonly kind: CardKind;
  readonly session: string | null;
  /** What a comment is signed with. */
  readonly author: string | null;
  /** Who wrote or did it, as the log names them; null for what the program did. */
  readonly actor: string | null;
  readonly by: By;
  /** True for a signal that settles nothing. */
  readonly late: boolean;
  /** Markdown; of a signal all that it says as one text. */
  readonly body: string;
  /** The arguments of a signal's verb. */
  readonly payload: Readonly<Record<string, unknown>> | null;
  readonly created: string | null;
  /** When a comment last got other words. */
  readonly updated: string | null;
  /** True where the event changed the task's status. */
  readonly changed: boolean;
  /** Of a run of a gate, without its output. */
  readonly run: GateRunHead | null;
  /** Of a phase; `before` is the phase before it. */
  readonly phase: {
    readonly state: SessionState;
    readonly before: SessionState;
    readonly irregular: 0 | 1;
  } | null;
  /** Of a session's start or end. */
  readonly of_session: SessionFact | null;
  /** Of a prompt. */
  readonly prompt: Pick<Row<typeof promptsTable>, "characters" | "tokens" | "cut"> | null;
  /** Of an ask. */
  readonly question: (Pick<Question, "state" | "answer" | "acted_at"> & { by: string | null }) | null;
  /** Of a blocked. */
  readonly blocker: Pick<Blocker, "state" | "depends_on" | "contests" | "acted_at"> | null;
  /** Of a suggest. */
  readonly suggestion: Pick<Suggestion, "state" | "proposed_task" | "unknown_feature" | "acted_at"> | null;
  /** Of a flag: when and by whom it was acknowledged. */
  readonly flag: Pick<Flag, "acted_at" | "acted_by"> | null;
  /** Of a done that did not count: the gates that did not bear it out, with their last attempt in its session. */
  readonly unverified: readonly UnmetGate[] | null;
  /** What was found in the workspace for which a done was refused. */
  readonly refused: readonly string[];
}

/** A session's start, or its end with how it closed. */
type SessionFact =
  | ({ readonly is: "start" } & Pick<Session, "forced" | "driver">)
  | ({ readonly is: "end" } & Pick<Session, "exit" | "outcome" | "closing" | "inferred" | "unverified">);

interface UnmetGate {
  readonly gate: number;
  readonly command: string | null;
  /** Null where the session has not run it. */
  readonly run: GateRunHead | null;
}

/** Some of the cards that a filter lets through, in the order of their positions. */
export function timelineCards(
  readModel: ReadView,
  task: number,
  filter: TimelineFilter,
  { row, limit }: Rows,
): TimelineCard[] {
  const rows = readModel.all(CARDS, { ...parametersOf(task, filter), row, limit });
  const refused = refusedIn(readModel, rows);
  const unmet = unmetGates(readModel, task, rows, new Set(refused.map(({ session_id }) => session_id)));
  const runs = gateRunHeads(
    readModel,
    rows.flatMap(({ kind, ref }) => (kind === "gate" && ref !== null ? [ref] : [])),
  );
  const phases = phasesOf(readModel, sessionsOf(rows, "phase"));
  const prompts = promptsOf(readModel, sessionsOf(rows, "prompt"));
  const flags = flagsOf(readModel, rows);
  return rows.map((row) => ({
    position: row.id,
    kind: row.kind,
    session: row.session_id,
    author: row.author,
    actor: row.actor,
    by: row.by,
    late: row.late === 1,
    body: row.body,
    payload: row.payload === null ? null : parseColumn(row.payload),
    created: row.created,
    updated: row.updated,
    changed: row.changed === 1,
    run: row.kind === "gate" && row.ref !== null ? (runs.get(row.ref) ?? null) : null,
    phase: (row.kind === "phase" && phases.get(keyOf(row.session_id, row.ref))) || null,
    of_session: sessionFactOf(row),
    prompt: (row.kind === "prompt" && prompts.get(row.session_id)) || null,
    question: row.question_state && {
      state: row.question_state,
      answer: row.answer,
      acted_at: row.question_acted,
      by: row.answered_by,
    },
    blocker: row.blocker_state && {
      state: row.blocker_state,
      depends_on: row.depends_on,
      contests: row.contests ?? 0,
      acted_at: row.blocker_acted,
    },
    suggestion: row.suggestion_state && {
      state: row.suggestion_state,
      proposed_task: row.proposed_task,
      unknown_feature: row.unknown_feature ?? 0,
      acted_at: row.suggestion_acted,
    },
    flag: flags.get(row.id) ?? null,
    unverified: row.unverified === 1 ? (unmet.get(row.session_id ?? "") ?? []) : null,
    refused: refused.flatMap((found) =>
      row.unverified === 1 && found.session_id === row.session_id ? [findingInWords(found)] : [],
    ),
  }));
}

type CardRow = RowOf<typeof CARDS>;

function sessionFactOf(row: CardRow): SessionFact | null {
  if (row.kind !== "session") return null;
  const { forced, driver, exit, outcome, closing, inferred } = row;
  return row.id === row.started_position
    ? { is: "start", forced: forced ?? 0, driver }
    : { is: "end", exit, outcome, closing, inferred: inferred ?? 0, unverified: row.session_unverified ?? 0 };
}

const CARDS = question<CardValues & Rows>()((tables, given) => {
  const page = matchingCards(tables, given)
    .selectAll()
    .orderBy("id")
    .limit(given("limit"))
    .offset(given("row"));
  return tables
    .selectFrom(page.as("c"))
    .leftJoin("questions as q", "q.id", "c.id")
    .leftJoin("question_acts as a", "a.position", "q.acted_at")
    .leftJoin("blockers as b", "b.id", "c.id")
    .leftJoin("suggestions as g", "g.id", "c.id")
    .leftJoin("sessions as x", "x.id", "c.session_id")
    .selectAll("c")
    .select(["x.started_position", "x.forced", "x.driver", "x.exit", "x.outcome", "x.closing", "x.inferred"])
    .select("x.unverified as session_unverified")
    .select([
      "q.state as question_state",
      "q.answer",
      "q.acted_at as question_acted",
      "a.actor as answered_by",
    ])
    .select(["b.state as blocker_state", "b.depends_on", "b.contests", "b.acted_at as blocker_acted"])
    .select(["g.state as suggestion_state", "g.proposed_task", "g.unknown_feature"])
    .select("g.acted_at as suggestion_acted")
    .select((eb) =>
      eb
        .and([eb("x.unverified", "=", 1), eb("x.last_closing_position", "=", eb.ref("c.id"))])
        .$castTo<0 | 1 | null>()
        .as("unverified"),
    )
    .orderBy("c.id");
});

/** The sessions of the cards of a kind, as JSON. */
function sessionsOf(rows: readonly CardRow[], kind: CardKind): string {
  const found = rows.filter((row) => row.kind === kind).map(({ session_id }) => session_id);
  return JSON.stringify([...new Set(found)]);
}

function phasesOf(
  readModel: ReadView,
  sessions: string,
): ReadonlyMap<string, NonNullable<TimelineCard["phase"]>> {
  const rows = readModel.all(PHASES, { sessions });
  const states = new Map(rows.map(({ session_id, ordinal, state }) => [keyOf(session_id, ordinal), state]));
  return new Map(
    rows.map(({ session_id, ordinal, state, irregular }) => [
      keyOf(session_id, ordinal),
      { state, before: states.get(keyOf(session_id, ordinal - 1)) ?? "idle", irregular },
    ]),
  );
}

function keyOf(session: string | null, ordinal: number | null): string {
  return `${ordinal} ${session}`;
}

function promptsOf(
  readModel: ReadView,
  sessions: string,
): ReadonlyMap<string | null, NonNullable<TimelineCard["prompt"]>> {
  const rows = readModel.all(PROMPTS, { sessions });
  return new Map(
    rows.map(({ session_id, characters, tokens, cut }) => [session_id, { characters, tokens, cut }]),
  );
}

function flagsOf(
  readModel: ReadView,
  rows: readonly CardRow[],
): ReadonlyMap<number, NonNullable<TimelineCard["flag"]>> {
  const ids = JSON.stringify(rows.flatMap(({ id, kind }) => (kind === "flag" ? [id] : [])));
  const found = readModel.all(FLAGS, { ids });
  return new Map(found.map(({ id, acted_at, acted_by }) => [id, { acted_at, acted_by }]));
}

// Small questions of their own: biome takes exponential time on a chain of more than six joins.
const PHASES = question<{ sessions: string }>()((tables, given) =>
  tables
    .selectFrom("session_states")
    .select(["session_id", "ordinal", "state", "irregular"])
    .where("session_id", "in", valuesIn<string>(given("sessions"))),
);
const PROMPTS = question<{ sessions: string }>()((tables, given) =>
  tables
    .selectFrom("prompts")
    .select(["session_id", "characters", "tokens", "cut"])
    .where("session_id", "in", valuesIn<string>(given("sessions"))),
);
const FLAGS = question<{ ids: string }>()((tables, given) =>
  tables
    .selectFrom("flags")
    .select(["id", "acted_at", "acted_by"])
    .where("acted_at", "is not", null)
    .where("id", "in", valuesIn<number>(given("ids"))),
);

/** What was found in sessions whose done is among the cards and was refused for it. */
function refusedIn(readModel: ReadView, rows: readonly CardRow[]) {
  const sessions = unverifiedOf(rows);
  return sessions.length === 0 ? [] : readModel.all(REFUSED, { sessions: JSON.stringify(sessions) });
}

function unverifiedOf(rows: readonly CardRow[]): string[] {
  return rows.flatMap(({ unverified, session_id }) =>
    unverified === 1 && session_id !== null ? [session_id] : [],
  );
}

const REFUSED = question<{ sessions: string }>()((tables, given) =>
  tables
    .selectFrom("session_findings")
    .select(["session_id", "kind", "says"])
    .where("led_to", "=", "refuse")
    .where("session_id", "in", valuesIn<string>(given("sessions")))
    .orderBy("session_id")
    .orderBy("nth"),
);

/** By session: the gates whose last attempt in it did not pass, or, where all did, those that it has not run. */
function unmetGates(
  readModel: ReadView,
  task: number,
  rows: readonly CardRow[],
  refused: ReadonlySet<string>,
): Map<string, readonly UnmetGate[]> {
  const wanted = unverifiedOf(rows);
  if (wanted.length === 0) return new Map();
  const runs = readModel.all(RUNS, { task, sessions: JSON.stringify(wanted) });
  const gates = readModel.all(GATES, { task });
  return new Map(
    wanted.flatMap((session) => {
      // The last run of each gate is the one that stays.
      const last = new Map(runs.filter((run) => run.session_id === session).map((run) => [run.gate, run]));
      const failed = [...last.values()].filter(({ state }) => state !== "passed");
      const notRun = gates.filter(({ gate, state }) => !last.has(gate) && state !== "skipped");
      // All passed, but on other files than the session left.
      if (failed.length + notRun.length === 0 && !refused.has(session)) failed.push(...last.values());
      const unmet: UnmetGate[] =
        failed.length > 0
          ? failed.map((run) => ({ gate: run.gate, command: run.command ?? commandOf(run.gate), run }))
          : notRun.map(({ gate, command }) => ({ gate, command, run: null }));
      return [[session, unmet]];
    }),
  );

  function commandOf(gate: number): string | null {
    return gates.find((one) => one.gate === gate)?.command ?? null;
  }
}

const GATES = question<{ task: number }>()((tables, given) =>
  tables
    .selectFrom("gates")
    .select(["gate", "command", "state"])
    .where("task_id", "=", given("task"))
    .orderBy("gate"),
);
const RUNS = question<{ task: number; sessions: string }>()((tables, given) =>
  runsInSessions(tables, given("task"))
    .select("s.id as session_id")
    .where("r.kind", "=", "attempt")
    .where("s.id", "in", valuesIn<string>(given("sessions")))
    .orderBy("r.id"),
);
