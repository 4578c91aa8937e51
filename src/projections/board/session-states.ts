import type { Event } from "../../events/types/index.ts";
import type { SessionState } from "../../events/types/sessions.ts";
import { fromIsoTime, type Microseconds, toSqlTime } from "../../lib/time.ts";
import { toFlag } from "../table.ts";
import { decideByStatus } from "./proposals.ts";
import type { lastingPhases } from "./session-tables.ts";
import { changeStatus } from "./status.ts";
import type { Board, Session, TaskSession } from "./tables.ts";

/**
 * The regular next states of each state (docs/rules.md, Sessions). A step into the final state is
 * never irregular.
 */
const REGULAR_STEPS: Readonly<Record<SessionState, readonly SessionState[]>> = {
  idle: ["analyzing"],
  analyzing: ["implementing"],
  implementing: ["testing"],
  testing: ["implementing", "committing"],
  committing: ["reviewing"],
  reviewing: [],
  done: [],
  failed: [],
};

/** Starting a session puts its task in progress; passed gates must pass again. */
export function startSession(board: Board, event: Event, start: Start & { task: number }): void {
  const task = board.tasks.get(start.task);
  if (!task || task.open_session !== null || board.sessions.get(start.session)) return;
  addSession(board, event, start);
  decideByStatus(board, event, task, "in_progress");
  for (const gate of board.gates.where({ task_id: task.id }, ({ state }) => state === "passed")) {
    board.gates.update([task.id, gate.gate], { state: "pending" });
  }
  board.tasks.update(task.id, {
    sessions: task.sessions + 1,
    open_session: start.session,
    last_start: event.position,
    awaiting_acceptance: 0,
    unverified_done: 0,
  });
  changeStatus(board, event, task.id, "in_progress", { rule: "sessions: start", session: start.session });
}

interface Start {
  readonly session: string;
  readonly task?: number | undefined;
  readonly recipe?: string | undefined;
  readonly forced: boolean;
  readonly implicit: boolean;
  readonly workspace?: string | undefined;
  readonly driver?: string | undefined;
  readonly host?: string | undefined;
}

/** A session without a task moves none (docs/decisions/0077-plans.md). */
export function startWithoutTask(board: Board, event: Event, start: Start): void {
  if (!board.sessions.get(start.session)) addSession(board, event, start);
}

function addSession(board: Board, event: Event, start: Start): void {
  board.sessions.insert({
    id: start.session,
    task_id: start.task ?? null,
    recipe: start.recipe ?? null,
    implicit: toFlag(start.implicit),
    forced: toFlag(start.forced),
    current_state: "idle",
    states: 0,
    inferred: 0,
    unverified: 0,
    irregular: 0,
    signals: 0,
    late: 0,
    learned: 0,
    driver: start.driver ?? null,
    host: start.host ?? null,
    workspace_start: start.workspace ?? null,
    started_position: event.position,
    started_at: toSqlTime(event.recordedAt),
    state_since_us: fromIsoTime(event.recordedAt),
    returns: 0,
  });
  enterState(board, event, start.session, { state: "idle", irregular: false, metadata: {} });
}

/** Any order of states is accepted. */
export function reportState(board: Board, event: Event<"session.state_reported">): void {
  const { session: id, state, metadata = {} } = event.payload;
  const session = board.sessions.get(id);
  if (!session || session.completed_at !== null) return;
  enterState(board, event, id, { state, irregular: isIrregular(session.current_state, state), metadata });
}

/**
 * An irregular step is accepted and marked: observability, not control (docs/rules.md,
 * Sessions).
 */
export function isIrregular(from: SessionState, to: SessionState): boolean {
  return !REGULAR_STEPS[from].includes(to);
}

export function enterState(
  board: Board,
  event: Event,
  id: string,
  { state, irregular, metadata }: { state: SessionState; irregular: boolean; metadata: object },
): void {
  const session = board.sessions.get(id);
  if (!session) return;
  board.sessionStates.insert({
    session_id: id,
    ordinal: session.states + 1,
    state,
    irregular: toFlag(irregular),
    position: event.position,
    entered_at: event.recordedAt,
    metadata: JSON.stringify(metadata),
  });
  board.sessions.update(id, {
    current_state: state,
    states: session.states + 1,
    irregular: session.irregular + toFlag(irregular),
    ...timesAt(session, fromIsoTime(event.recordedAt), state),
  });
}

/** A session's times after it leaves its current state. */
function timesAt(session: Session, now: Microseconds, next: SessionState) {
  const { current_state: state, state_since_us: since, states, returns } = session;
  if (states === 0) return undefined;
  const time = (phase: (typeof lastingPhases)[number]) =>
    state === phase ? (session[`${phase}_us`] ?? 0) + now - since : undefined;
  return {
    state_since_us: now,
    idle_us: time("idle"),
    analyzing_us: time("analyzing"),
    implementing_us: time("implementing"),
    testing_us: time("testing"),
    committing_us: time("committing"),
    reviewing_us: time("reviewing"),
    returns: returns + toFlag(state === "testing" && next === "implementing"),
  };
}

/**
 * Counts a signal in its session, and starts the session if it has not started.
 *
 * @returns the session; undefined if the signal is late (docs/rules.md, Sessions): after the
 * session's end, from a session that never started while another one of the task is open, or for an
 * unknown task
 */
export function startSessionForSignal(
  board: Board,
  event: Event,
  signal: { session: string; task: number },
): TaskSession | undefined {
  if (!board.sessions.get(signal.session)) {
    startSession(board, event, { ...signal, forced: true, implicit: true });
  }
  const session = board.sessions.get(signal.session);
  const late = !session || session.completed_at !== null || session.task_id !== signal.task;
  if (session) {
    board.sessions.update(session.id, late ? { late: session.late + 1 } : { signals: session.signals + 1 });
  }
  return late ? undefined : { ...session, task_id: signal.task };
}
