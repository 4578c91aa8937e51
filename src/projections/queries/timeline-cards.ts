import type { Verb } from "../../events/types/signals.ts";
import type { Blocker, Flag, Question, Suggestion } from "../board/tables.ts";
import type { GateRunRow } from "../gate-runs.ts";
import { question, type RowOf, valuesIn } from "../question.ts";
import type { ReadView } from "../read-view.ts";
import type { Rows } from "./task-order.ts";
import { type CardValues, matchingCards, parametersOf, type TimelineFilter } from "./timeline.ts";

/** A comment or a signal on a task, with its outcome. */
export interface TimelineCard {
  readonly position: number;
  /** Null for a comment. */
  readonly verb: Verb | null;
  readonly session: string | null;
  /** What a comment is signed with; null for a signal. */
  readonly author: string | null;
  /** Who wrote it, as the log names them. */
  readonly actor: string;
  readonly by: "agent" | "human";
  /** True for a signal that settles nothing. */
  readonly late: boolean;
  /** Markdown; of a signal all that it says as one text. */
  readonly body: string;
  /** The verb's arguments; null for a comment. */
  readonly payload: Readonly<Record<string, unknown>> | null;
  readonly created: string;
  /** When a comment last got other words. */
  readonly updated: string | null;
  /** Of an ask. */
  readonly question: (Pick<Question, "state" | "answer" | "acted_at"> & { by: string | null }) | null;
  /** Of a blocked. */
  readonly blocker: Pick<Blocker, "state" | "depends_on" | "contests" | "acted_at"> | null;
  /** Of a suggest. */
  readonly suggestion: Pick<Suggestion, "state" | "proposed_task" | "unknown_feature" | "acted_at"> | null;
  /** Of a flag: when and by whom it was acknowledged. */
  readonly flag: Pick<Flag, "acted_at" | "acted_by"> | null;
  /** Of a done that its gates did not bear out: those gates, with their last attempt in its session. */
  readonly unverified: readonly UnmetGate[] | null;
}

interface UnmetGate {
  readonly gate: number;
  readonly command: string | null;
  /** Null where the session has not run it. */
  readonly run: Pick<
    GateRunRow,
    "id" | "state" | "exit_code" | "signal" | "timed_out" | "stdout" | "stderr" | "explanation"
  > | null;
}

/** Some of the cards that a filter lets through, in the order of their positions. */
export function timelineCards(
  readModel: ReadView,
  task: number,
  filter: TimelineFilter,
  { row, limit }: Rows,
): TimelineCard[] {
  const rows = readModel.all(CARDS, { ...parametersOf(task, filter), row, limit });
  const unmet = unmetGates(readModel, task, rows);
  return rows.map((row) => ({
    position: row.id,
    verb: row.verb,
    session: row.session_id,
    author: row.author,
    actor: row.actor,
    by: row.by,
    late: row.late === 1,
    body: row.body,
    payload: row.payload === null ? null : JSON.parse(row.payload),
    created: row.created,
    updated: row.updated,
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
    flag: row.flag_acted === null ? null : { acted_at: row.flag_acted, acted_by: row.acted_by },
    unverified: row.unverified === 1 ? (unmet.get(row.session_id ?? "") ?? []) : null,
  }));
}

type CardRow = RowOf<typeof CARDS>;

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
    .leftJoin("flags as f", "f.id", "c.id")
    .leftJoin("sessions as x", "x.id", "c.session_id")
    .selectAll("c")
    .select([
      "q.state as question_state",
      "q.answer",
      "q.acted_at as question_acted",
      "a.actor as answered_by",
    ])
    .select(["b.state as blocker_state", "b.depends_on", "b.contests", "b.acted_at as blocker_acted"])
    .select(["g.state as suggestion_state", "g.proposed_task", "g.unknown_feature"])
    .select(["g.acted_at as suggestion_acted", "f.acted_at as flag_acted", "f.acted_by"])
    .select((eb) =>
      eb
        .and([eb("x.unverified", "=", 1), eb("x.last_closing_position", "=", eb.ref("c.id"))])
        .$castTo<0 | 1 | null>()
        .as("unverified"),
    )
    .orderBy("c.id");
});

/** By session: the gates whose last attempt in it did not pass, or, where all did, those that it has not run. */
function unmetGates(
  readModel: ReadView,
  task: number,
  rows: readonly CardRow[],
): Map<string, readonly UnmetGate[]> {
  const wanted = rows.flatMap(({ unverified, session_id }) => (unverified === 1 ? [session_id] : []));
  if (wanted.length === 0) return new Map();
  const runs = readModel.all(RUNS, { task, sessions: JSON.stringify(wanted) });
  const gates = readModel.all(GATES, { task });
  return new Map(
    wanted.flatMap((session) => {
      if (session === null) return [];
      // The last run of each gate is the one that stays.
      const last = new Map(runs.filter((run) => run.session_id === session).map((run) => [run.gate, run]));
      const failed = [...last.values()].filter(({ state }) => state !== "passed");
      const notRun = gates.filter(({ gate, state }) => !last.has(gate) && state !== "skipped");
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
  tables
    .selectFrom("gate_runs")
    .select(["id", "gate", "session_id", "command", "state", "exit_code", "signal", "timed_out"])
    .select(["stdout", "stderr", "explanation"])
    .where("task_id", "=", given("task"))
    .where("kind", "=", "attempt")
    .where("session_id", "in", valuesIn<string>(given("sessions")))
    .orderBy("id"),
);
