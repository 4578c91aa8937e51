import { type Priority, type TaskStatus, taskStatuses } from "../events/types/fields.ts";
import type { SessionState } from "../events/types/sessions.ts";
import { shorten } from "../lib/shorten.ts";
import { isReady } from "../projections/board/status.ts";
import { READY } from "../projections/board/status-order.ts";
import { priorityRank } from "../projections/board/task-rows.ts";
import { parseColumn } from "../projections/parse-column.ts";
import { question, type RowOf, rowsIn, unsearched } from "../read-model/question.ts";
import type { ReadView } from "../read-model/read-view.ts";
import { idsInOrder, type Rows, type Sought, soughtTasks } from "./task-order.ts";
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
export function countCards(readModel: ReadView, filter: CardFilter): CardCount[] {
  if (!isFilter(filter)) {
    const [counts, ready] = [countTasks(readModel), countReady(readModel)];
    return taskStatuses.flatMap((status) => {
      const tasks = counts[status] ?? 0;
      return tasks === 0 ? [] : [{ status, tasks, ready: status === "pending" ? ready : 0 }];
    });
  }
  return readModel.all(COUNTS, soughtBy(filter));
}

const COUNTS = question<Sought>()((tables, given) =>
  soughtTasks(tables, given)
    .select("status")
    .select((eb) => [
      eb.fn.countAll<number>().as("tasks"),
      eb.fn.sum<number>(eb.and(READY).$castTo<number>()).as("ready"),
    ])
    .groupBy("status"),
);

/** Cards of one status, in the order in which a board shows them. */
export function cardsOf(readModel: ReadView, status: TaskStatus, filter: CardFilter, rows: Rows): Card[] {
  const sought = isFilter(filter) ? soughtBy(filter) : undefined;
  return cardsFor(readModel, idsInOrder(readModel, status, rows, sought));
}

function isFilter(filter: CardFilter): boolean {
  return Object.values(soughtBy(filter)).some((value) => value !== null);
}

/** @returns undefined where there is no such task */
export function findCard(readModel: ReadView, id: number): Card | undefined {
  return cardsFor(readModel, [id])[0];
}

/** The cards of tasks, in the order of their ids here. */
function cardsFor(readModel: ReadView, ids: readonly number[]): Card[] {
  const rows = readModel.all(CARDS, { ids: JSON.stringify(ids) });
  const turns = turnsOf(readModel, rows);
  return rows.map((row) => cardOf(row, turns.get(row.id) ?? null));
}

/** The turns of those that are ready: counted in the order of turns, from each of them to the next. */
function turnsOf(readModel: ReadView, rows: readonly CardRow[]): ReadonlyMap<number, number> {
  const turns = new Map<number, number>();
  const ready = rows.filter(isReady).sort((a, b) => a.priority_rank - b.priority_rank || a.id - b.id);
  const between = (rank: number, after: number, upto: number) =>
    readModel.get(READY_BETWEEN, { rank, after, upto })?.ready ?? 0;
  let [rank, after, turn] = [0, 0, 0];
  for (const { id, priority_rank } of ready) {
    for (; rank < priority_rank; rank++, after = 0) turn += between(rank, after, Number.MAX_SAFE_INTEGER);
    turn += between(rank, after, id);
    after = id;
    turns.set(id, turn);
  }
  return turns;
}

const READY_BETWEEN = question<{ rank: number; after: number; upto: number }>()((tables, given) =>
  tables
    .selectFrom("tasks")
    .where((eb) => eb.and(READY))
    .where("priority_rank", "=", given("rank"))
    .where("id", ">", given("after"))
    .where("id", "<=", given("upto"))
    .select(({ fn }) => fn.countAll<number>().as("ready")),
);

/** The values of a filter for a question. */
export function soughtBy({ feature, discipline, priority, text }: CardFilter): Sought {
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

type CardRow = RowOf<typeof CARDS>;

function cardOf({ priority_rank: _, ...row }: CardRow, turn: number | null): Card {
  return {
    ...row,
    turn,
    waits_for: parseColumn(row.waits_for),
    escalated_gates: parseColumn(row.escalated_gates),
    awaits_acceptance: row.awaits_acceptance === 1,
    blocked_on: row.blocked_on === null ? null : shorten(row.blocked_on, BLOCKED_ON_LENGTH),
    proposal: row.proposal === null ? null : parseColumn(row.proposal),
    session: row.session === null ? null : parseColumn(row.session),
  };
}

const BLOCKED_ON_LENGTH = 200;

/**
 * What a card says besides its task's own columns is looked up for the tasks of the page alone. What the last session
 * contests or flags is as in the inbox (queries/inbox.ts).
 */
const CARDS = question<{ ids: string }>()((tables, given) =>
  tables
    .selectFrom(rowsIn<number>(given("ids")).as("i"))
    .crossJoin("tasks as t")
    .whereRef("t.id", "=", "i.value")
    .select(["t.id", "t.title", "t.status", "t.priority", "t.priority_rank", "t.feature", "t.discipline"])
    .select(["t.origin", "t.stuck_count", "t.open_dependencies", "t.unapproved_gates", "t.held_at"])
    .select("t.awaiting_acceptance as awaits_acceptance")
    .select((task) => [
      task
        .selectFrom((open) =>
          open
            .selectFrom("task_dependencies as d")
            .innerJoin("tasks as o", "o.id", "d.depends_on")
            .select(["o.id", "o.status"])
            .whereRef("d.task_id", "=", "t.id")
            .where("o.status", "not in", ["done", "skipped"])
            .orderBy("o.id")
            .limit(4)
            .as("o"),
        )
        .select(({ fn, val }) =>
          fn<string>("json_group_array", [
            fn("json_object", [val("id"), "o.id", val("status"), "o.status"]),
          ]).as("tasks"),
        )
        .$asScalar()
        .$notNull()
        .as("waits_for"),
      task
        .selectFrom("gates as g")
        .whereRef("g.task_id", "=", "t.id")
        .where("g.state", "=", "escalated")
        .select(({ fn }) => fn<string>("json_group_array", ["g.gate"]).as("gates"))
        .$asScalar()
        .$notNull()
        .as("escalated_gates"),
      task
        .selectFrom("questions as q")
        .whereRef("q.task_id", "=", "t.id")
        .where("q.state", "=", "open")
        .select(({ fn }) => fn.countAll<number>().as("questions"))
        .$asScalar()
        .$notNull()
        .as("open_questions"),
      task
        .selectFrom("blockers as b")
        .whereRef("b.task_id", "=", "t.id")
        .where("b.state", "=", "open")
        .select(({ fn }) => fn.countAll<number>().as("blockers"))
        .$asScalar()
        .$notNull()
        .as("open_blockers"),
      task
        .selectFrom("blockers as b")
        .whereRef("b.task_id", "=", "t.id")
        .where("b.state", "=", "open")
        .orderBy("b.id")
        .limit(1)
        .select("b.on")
        .$asScalar()
        .as("blocked_on"),
      task
        .selectFrom("sessions as s")
        .crossJoin("blockers as b")
        .innerJoin("tasks as c", "c.id", "b.depends_on")
        .whereRef("b.session_id", "=", "s.id")
        .where("t.last_start", ">", 0)
        .whereRef("s.started_position", "=", "t.last_start")
        .where(({ eb, ref }) => eb(unsearched(ref("b.task_id")), "=", ref("t.id")))
        .where("b.contests", "=", 1)
        .where(({ eb, ref }) => eb(unsearched(ref("b.state")), "=", "resolved"))
        .where("c.status", "in", ["done", "skipped"])
        .where("t.status", "not in", ["done", "skipped"])
        .select(({ fn }) => fn.countAll<number>().as("contests"))
        .$asScalar()
        .$notNull()
        .as("contests"),
      task
        .selectFrom("sessions as s")
        .crossJoin("flags as f")
        .whereRef("f.session_id", "=", "s.id")
        .where("t.last_start", ">", 0)
        .whereRef("s.started_position", "=", "t.last_start")
        .where("f.severity", "=", "blocking")
        .where("f.acted_at", "is", null)
        .where(({ eb, ref }) => eb(unsearched(ref("f.task_id")), "=", ref("t.id")))
        .where("t.status", "<>", "skipped")
        .select(({ fn }) => fn.countAll<number>().as("flags"))
        .$asScalar()
        .$notNull()
        .as("blocking_flags"),
      task
        .selectFrom("suggestions as s")
        .whereRef("s.id", "=", "t.suggestion")
        .where("s.state", "=", "proposed")
        .where("t.status", "=", "draft")
        .select(({ fn, val }) =>
          fn<string>("json_object", [val("id"), "s.id", val("from"), "s.task_id"]).as("proposal"),
        )
        .$asScalar()
        .as("proposal"),
      task
        .selectFrom("sessions as s")
        .leftJoin("session_states as n", (join) =>
          join.onRef("n.session_id", "=", "s.id").onRef("n.ordinal", "=", "s.states"),
        )
        .leftJoin("agents as a", "a.session_id", "s.id")
        .whereRef("s.id", "=", "t.open_session")
        .select(({ fn, val }) =>
          fn<string>("json_object", [
            ...[val("id"), "s.id" as const, val("state"), "s.current_state" as const],
            ...[val("entered_at"), "n.entered_at" as const],
            ...[val("cost_micro_usd"), "a.cost_micro_usd" as const],
          ]).as("session"),
        )
        .$asScalar()
        .as("session"),
    ])
    .orderBy("i.key"),
);
