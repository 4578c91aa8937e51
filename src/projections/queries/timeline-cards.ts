import type { Verb } from "../../events/types/signals.ts";
import type { Blocker, Question, Suggestion } from "../board/tables.ts";
import type { GateRunRow } from "../gate-runs.ts";
import type { ReadModel } from "../read-model.ts";
import type { Rows } from "./task-order.ts";
import { CARDS, parametersOf, type TimelineFilter, WHERE } from "./timeline.ts";

/** A comment or a signal on a task, with what became of it. */
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
  readModel: ReadModel,
  task: number,
  filter: TimelineFilter,
  { row, limit }: Rows,
): TimelineCard[] {
  const rows = readModel.prepared<object, CardRow>(SELECT).all({ ...parametersOf(task, filter), row, limit });
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
      contests: row.contests,
      acted_at: row.blocker_acted,
    },
    suggestion: row.suggestion_state && {
      state: row.suggestion_state,
      proposed_task: row.proposed_task,
      unknown_feature: row.unknown_feature,
      acted_at: row.suggestion_acted,
    },
    unverified: row.unverified === 1 ? (unmet.get(row.session_id ?? "") ?? []) : null,
  }));
}

interface CardRow {
  readonly id: number;
  readonly verb: Verb | null;
  readonly session_id: string | null;
  readonly author: string | null;
  readonly actor: string;
  readonly by: "agent" | "human";
  readonly late: number;
  readonly body: string;
  readonly payload: string | null;
  readonly created: string;
  readonly updated: string | null;
  readonly question_state: Question["state"] | null;
  readonly answer: string | null;
  readonly question_acted: number | null;
  readonly answered_by: string | null;
  readonly blocker_state: Blocker["state"] | null;
  readonly depends_on: number | null;
  readonly contests: Blocker["contests"];
  readonly blocker_acted: number | null;
  readonly suggestion_state: Suggestion["state"] | null;
  readonly proposed_task: number | null;
  readonly unknown_feature: Suggestion["unknown_feature"];
  readonly suggestion_acted: number | null;
  readonly unverified: number | null;
}

const SELECT = `${CARDS}
  SELECT c.*, q.state AS question_state, q.answer, q.acted_at AS question_acted, a.actor AS answered_by,
    b.state AS blocker_state, b.depends_on, b.contests, b.acted_at AS blocker_acted,
    g.state AS suggestion_state, g.proposed_task, g.unknown_feature, g.acted_at AS suggestion_acted,
    x.unverified = 1 AND x.last_closing_position = c.id AS unverified
  FROM (SELECT * FROM cards ${WHERE} ORDER BY id LIMIT :limit OFFSET :row) c
    LEFT JOIN questions q ON q.id = c.id
    LEFT JOIN question_acts a ON a.position = q.acted_at
    LEFT JOIN blockers b ON b.id = c.id
    LEFT JOIN suggestions g ON g.id = c.id
    LEFT JOIN sessions x ON x.id = c.session_id
  ORDER BY c.id`;

/** By session: the gates whose last attempt in it did not pass, or, where all did, those that it has not run. */
function unmetGates(
  readModel: ReadModel,
  task: number,
  rows: readonly CardRow[],
): Map<string, readonly UnmetGate[]> {
  const wanted = rows.flatMap(({ unverified, session_id }) => (unverified === 1 ? [session_id] : []));
  if (wanted.length === 0) return new Map();
  const runs = readModel.prepared<object, GateRunRow>(RUNS).all({ task, sessions: JSON.stringify(wanted) });
  const gates = readModel
    .prepared<[number], { gate: number; command: string; state: string }>(
      "SELECT gate, command, state FROM gates WHERE task_id = ? ORDER BY gate",
    )
    .all(task);
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

const RUNS = `SELECT id, gate, session_id, command, state, exit_code, signal, timed_out, stdout, stderr, explanation
  FROM gate_runs
  WHERE task_id = :task AND kind = 'attempt' AND session_id IN (SELECT value FROM json_each(:sessions)) ORDER BY id`;
