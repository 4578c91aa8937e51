import { type Priority, type TaskStatus, taskStatuses } from "../../events/types/fields.ts";
import type { SessionState } from "../../events/types/sessions.ts";
import { shorten } from "../../shorten.ts";
import { isReady } from "../board/status.ts";
import { IS_READY } from "../board/status-order.ts";
import { priorityRank } from "../board/task-rows.ts";
import type { ReadModel } from "../read-model.ts";
import { idsInOrder, type Rows } from "./task-order.ts";
import { countReady, countTasks } from "./tasks.ts";

/** A task as a board shows it: what it is, and what a human should see of it without opening it. */
export interface Card {
  readonly id: number;
  readonly title: string;
  readonly status: TaskStatus;
  readonly priority: Priority;
  readonly feature: string;
  readonly discipline: string;
  /** agent for what a suggestion became. */
  readonly origin: "human" | "agent";
  readonly stuck_count: number;
  /** Its place among all tasks that are ready, 1 for the next one; null for one that is not ready. */
  readonly turn: number | null;
  /** How many tasks it waits for, and the first of them. */
  readonly open_dependencies: number;
  readonly waits_for: readonly { readonly id: number; readonly status: TaskStatus }[];
  /** How many of its gates an agent declared and no human decided on. */
  readonly unapproved_gates: number;
  /** Since when it is not started again by itself, as sessions in a row were cancelled; 0 where it can be. */
  readonly held_at: number;
  /** The numbers of the gates that have used up their attempts. */
  readonly escalated_gates: readonly number[];
  readonly open_questions: number;
  readonly open_blockers: number;
  /** What the first open blocker says is missing. */
  readonly blocked_on: string | null;
  /** What its last session contests, and its blocking flags. */
  readonly contests: number;
  readonly blocking_flags: number;
  readonly awaits_acceptance: boolean;
  /** While an agent's proposal waits for a human: the suggestion, and the task in whose course it was made. */
  readonly proposal: { readonly id: number; readonly from: number } | null;
  /** The session that runs now. The cost is in millionths of a dollar; null is unknown. */
  readonly session: {
    readonly id: string;
    readonly state: SessionState;
    readonly entered_at: string | null;
    readonly cost_micro_usd: number | null;
  } | null;
}

/** Which tasks to show; all of what is given must hold. */
export interface CardFilter {
  readonly feature?: string | undefined;
  readonly discipline?: string | undefined;
  readonly priority?: Priority | undefined;
  /** A part of the title, whichever its letter case, or a task's number, as `12` or `#12`. */
  readonly text?: string | undefined;
}

export interface CardCount {
  readonly status: TaskStatus;
  readonly tasks: number;
  /** How many of them could be started now. */
  readonly ready: number;
}

/** How many tasks of each status a filter lets through; a status without any is absent. */
export function countCards(readModel: ReadModel, filter: CardFilter): CardCount[] {
  if (!isFilter(filter)) {
    const [counts, ready] = [countTasks(readModel), countReady(readModel)];
    return taskStatuses.flatMap((status) => {
      const tasks = counts[status] ?? 0;
      return tasks === 0 ? [] : [{ status, tasks, ready: status === "pending" ? ready : 0 }];
    });
  }
  return readModel
    .prepared<object, CardCount>(
      `SELECT status, count(*) AS tasks,
         sum(${IS_READY}) AS ready
       FROM tasks WHERE ${MATCHING} GROUP BY status`,
    )
    .all(given(filter));
}

/** Cards of one status, in the order in which a board shows them. */
export function cardsOf(readModel: ReadModel, status: TaskStatus, filter: CardFilter, rows: Rows): Card[] {
  const matching = isFilter(filter) ? { sql: MATCHING, given: given(filter) } : undefined;
  return cardsFor(readModel, idsInOrder(readModel, status, rows, matching));
}

function isFilter(filter: CardFilter): boolean {
  return Object.values(given(filter)).some((value) => value !== null);
}

/** @returns undefined where there is no such task */
export function findCard(readModel: ReadModel, id: number): Card | undefined {
  return cardsFor(readModel, [id])[0];
}

/** The cards of tasks, in the order of their ids here. */
function cardsFor(readModel: ReadModel, ids: readonly number[]): Card[] {
  const rows = readModel.prepared<{ ids: string }, CardRow>(CARDS).all({ ids: JSON.stringify(ids) });
  const turns = turnsOf(readModel, rows);
  return rows.map((row) => cardOf(row, turns.get(row.id) ?? null));
}

/** The turns of those that are ready: counted in the order of turns, from each of them to the next. */
function turnsOf(readModel: ReadModel, rows: readonly CardRow[]): ReadonlyMap<number, number> {
  const turns = new Map<number, number>();
  const ready = rows.filter(isReady).sort((a, b) => a.priority_rank - b.priority_rank || a.id - b.id);
  const count = readModel.prepared<object, { ready: number }>(READY_BETWEEN);
  const between = (rank: number, after: number, upto: number) => count.get({ rank, after, upto })?.ready ?? 0;
  let [rank, after, turn] = [0, 0, 0];
  for (const { id, priority_rank } of ready) {
    for (; rank < priority_rank; rank++, after = 0) turn += between(rank, after, Number.MAX_SAFE_INTEGER);
    turn += between(rank, after, id);
    after = id;
    turns.set(id, turn);
  }
  return turns;
}

const READY_BETWEEN = `SELECT count(*) AS ready FROM tasks
  WHERE ${IS_READY} AND priority_rank = :rank AND id > :after AND id <= :upto`;

type Given = Readonly<Record<"feature" | "discipline" | "text", string | null>> &
  Readonly<Record<"rank" | "number", number | null>>;

function given({ feature, discipline, priority, text }: CardFilter): Given {
  const sought = text?.trim().toLowerCase();
  const number = /^#?(\d{1,10})$/.exec(sought ?? "")?.[1];
  return {
    feature: feature ?? null,
    discipline: discipline ?? null,
    rank: priority === undefined ? null : priorityRank(priority),
    text: sought || null,
    number: number === undefined ? null : Number(number),
  };
}

/** Of columns that an index of the board has. */
const MATCHING = `(:feature IS NULL OR feature = :feature) AND (:discipline IS NULL OR discipline = :discipline)
  AND (:rank IS NULL OR priority_rank = :rank)
  AND (:text IS NULL OR id = :number OR instr(title_folded, :text) > 0)`;

type CardRow = Omit<
  Card,
  "turn" | "waits_for" | "escalated_gates" | "awaits_acceptance" | "proposal" | "session"
> & {
  priority_rank: number;
  waits_for: string;
  escalated_gates: string;
  awaits_acceptance: 0 | 1;
  proposal: string | null;
  session: string | null;
};

function cardOf({ priority_rank: _, ...row }: CardRow, turn: number | null): Card {
  return {
    ...row,
    turn,
    waits_for: JSON.parse(row.waits_for),
    escalated_gates: JSON.parse(row.escalated_gates),
    awaits_acceptance: row.awaits_acceptance === 1,
    blocked_on: row.blocked_on === null ? null : shorten(row.blocked_on, BLOCKED_ON_LENGTH),
    proposal: row.proposal === null ? null : JSON.parse(row.proposal),
    session: row.session === null ? null : JSON.parse(row.session),
  };
}

const BLOCKED_ON_LENGTH = 200;

/**
 * What a card says besides its task's own columns is looked up for the tasks of the page alone. What the last session
 * contests or flags is as in the inbox (queries/inbox.ts).
 */
const CARDS = `
  SELECT t.id, t.title, t.status, t.priority, t.priority_rank, t.feature, t.discipline, t.origin, t.stuck_count, t.open_dependencies,
    t.unapproved_gates, t.held_at, t.awaiting_acceptance AS awaits_acceptance,
    (SELECT json_group_array(json_object('id', o.id, 'status', o.status)) FROM (
      SELECT o.id, o.status FROM task_dependencies d JOIN tasks o ON o.id = d.depends_on
      WHERE d.task_id = t.id AND o.status NOT IN ('done', 'skipped') ORDER BY o.id LIMIT 4) o) AS waits_for,
    (SELECT json_group_array(g.gate) FROM gates g WHERE g.task_id = t.id AND g.state = 'escalated') AS escalated_gates,
    (SELECT count(*) FROM questions q WHERE q.task_id = t.id AND q.state = 'open') AS open_questions,
    (SELECT count(*) FROM blockers b WHERE b.task_id = t.id AND b.state = 'open') AS open_blockers,
    (SELECT b."on" FROM blockers b WHERE b.task_id = t.id AND b.state = 'open'
      ORDER BY b.id LIMIT 1) AS blocked_on,
    (SELECT count(*) FROM sessions s CROSS JOIN blockers b ON b.session_id = s.id JOIN tasks c ON c.id = b.depends_on
      WHERE t.last_start > 0 AND s.started_position = t.last_start AND +b.task_id = t.id AND b.contests = 1
        AND +b.state = 'resolved' AND c.status IN ('done', 'skipped') AND t.status NOT IN ('done', 'skipped')) AS contests,
    (SELECT count(*) FROM sessions s CROSS JOIN flags f ON f.session_id = s.id
      WHERE t.last_start > 0 AND s.started_position = t.last_start AND f.severity = 'blocking'
        AND +f.task_id = t.id AND t.status <> 'skipped') AS blocking_flags,
    (SELECT json_object('id', s.id, 'from', s.task_id) FROM suggestions s
      WHERE s.id = t.suggestion AND s.state = 'proposed' AND t.status = 'draft') AS proposal,
    (SELECT json_object('id', s.id, 'state', s.current_state, 'entered_at', n.entered_at,
        'cost_micro_usd', a.cost_micro_usd)
      FROM sessions s LEFT JOIN session_states n ON n.session_id = s.id AND n.ordinal = s.states
        LEFT JOIN agents a ON a.session_id = s.id
      WHERE s.id = t.open_session) AS session
  FROM json_each(:ids) i CROSS JOIN tasks t ON t.id = i.value
  ORDER BY i.key`;
