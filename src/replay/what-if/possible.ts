import type { Event, EventType } from "../../events/types/index.ts";
import { isRunnable } from "../../projections/board/gates.ts";
import { isReady } from "../../projections/board/status.ts";
import type { Board, Task } from "../../projections/board/tables.ts";

/**
 * Why nobody could have done on this board what an event says was done; undefined where it could have been. These are
 * the conditions of the decisions in src/decisions/ that depend on settlement. A signal is a fact and needs none.
 */
export function whyImpossible(board: Board, event: Event): string | undefined {
  const why: Why | undefined = WHY[event.type];
  return why?.(board, event);
}

type Why = (board: Board, event: Event) => string | undefined;
type Whys = { readonly [Type in EventType]?: (board: Board, event: Event<Type>) => string | undefined };

const whys: Whys = {
  "task.created": (board, { payload: { task } }) =>
    board.tasks.get(task) ? `task ${task} is there` : undefined,
  "task.changed": (board, { payload }) => onTask(board, payload.task, () => undefined),
  "task.enriched": (board, { payload }) =>
    onTask(board, payload.task, (task) =>
      task.status === "draft" || task.status === "pending" ? undefined : `task ${task.id} is ${task.status}`,
    ),
  "task.deleted": (board, { payload }) => onTask(board, payload.task, sessionOpen),
  "task.status_set": (board, { payload }) => onTask(board, payload.task, sessionOpen),
  "task.accepted": (board, { payload }) => onTask(board, payload.task, notAwaiting),
  "task.sent_back": (board, { payload }) => onTask(board, payload.task, notAwaiting),

  "session.started": (board, { payload }) =>
    onTask(board, payload.task, (task) => sessionOpen(task) ?? (payload.forced ? undefined : notReady(task))),

  "gate.declared": (board, { payload }) => onTask(board, payload.task, () => undefined),
  "gate.attempted": (board, { payload: { task, gate } }) => {
    const row = board.gates.get(task, gate);
    return row && isRunnable(row)
      ? undefined
      : `gate ${gate} of task ${task} is ${row?.state ?? "not there"}`;
  },
  "gate.acted": (board, { payload: { task, gate } }) => {
    const state = board.gates.get(task, gate)?.state;
    return state === "escalated" ? undefined : `gate ${gate} of task ${task} is ${state ?? "not there"}`;
  },

  "question.answered": (board, { payload }) => decided(board, "questions", payload.question),
  "question.dismissed": (board, { payload }) => decided(board, "questions", payload.question),
  "question.reopened": (board, { payload }) => undecided(board, "questions", payload.question),
  "blocker.resolved": (board, { payload }) => decided(board, "blockers", payload.blocker),
  "blocker.dismissed": (board, { payload }) => decided(board, "blockers", payload.blocker),
  "blocker.reopened": (board, { payload }) => undecided(board, "blockers", payload.blocker),

  "suggestion.approved": (board, { payload }) => notProposed(board, payload.suggestion),
  "suggestion.rejected": (board, { payload }) => notProposed(board, payload.suggestion),
};
// Each is only ever called with events of its own type.
const WHY = whys as Readonly<Partial<Record<EventType, Why>>>;

function onTask(board: Board, id: number, why: (task: Task) => string | undefined): string | undefined {
  const task = board.tasks.get(id);
  return task ? why(task) : `task ${id} is not there`;
}

function sessionOpen({ id, open_session }: Task): string | undefined {
  return open_session === null ? undefined : `session ${open_session} of task ${id} is open`;
}

function notReady(task: Task): string | undefined {
  if (isReady(task)) return undefined;
  return task.status === "pending"
    ? `task ${task.id} is pending and not ready`
    : `task ${task.id} is ${task.status}, not ready`;
}

function notAwaiting({ id, awaiting_acceptance }: Task): string | undefined {
  return awaiting_acceptance ? undefined : `task ${id} does not wait to be accepted`;
}

const DECIDED: ReadonlySet<string> = new Set(["answered", "resolved", "dismissed"]);

function decided(board: Board, table: "questions" | "blockers", id: number): string | undefined {
  const state = board[table].get(id)?.state;
  return state !== undefined && !DECIDED.has(state) ? undefined : `${id} is ${state ?? "not there"}`;
}

function undecided(board: Board, table: "questions" | "blockers", id: number): string | undefined {
  const row = board[table].get(id);
  return row?.state_without_act != null ? undefined : `${id} is ${row?.state ?? "not there"}`;
}

function notProposed(board: Board, id: number): string | undefined {
  const state = board.suggestions.get(id)?.state;
  return state === "proposed" ? undefined : `suggestion ${id} is ${state ?? "not there"}`;
}
