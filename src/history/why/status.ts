import { eventAt } from "../../events/event-at.ts";
import type { EventLog } from "../../events/log.ts";
import type { TaskStatus } from "../../events/types/fields.ts";
import type { Event } from "../../events/types/index.ts";
import { policies } from "../../events/types/policies.ts";
import { isSettled } from "../../projections/board/dependencies.ts";
import { ledTo } from "../../projections/board/evidence.ts";
import { sessions } from "../../projections/board/session-tables.ts";
import { type Board, boardTables, type Session, type StatusChange } from "../../projections/board/tables.ts";
import { parseColumn } from "../../projections/parse-column.ts";
import type { ReadModel } from "../../read-model/read-model.ts";
import { ascending } from "./cited-events.ts";
import { RULES, type Rule } from "./rules.ts";
import { type Grounds, ruleOf } from "./status-rule.ts";

/** A change of a status, and why. Events are named by their positions. */
export interface ExplainedChange {
  readonly position: number;
  readonly task: number;
  /** Null for the addition of the task. */
  readonly from: TaskStatus | null;
  readonly to: TaskStatus;
  /** Its name in `status_changes`. */
  readonly rule: string;
  /**
   * The rule's place in docs/rules.md, and its text; absent if another program's read model names
   * an unknown rule.
   */
  readonly means?: Rule;
  /** The preceding rules, in order: the effect of the closing verb, resolved blockers. */
  readonly after: readonly Rule[];
  readonly session: string | null;
  /** The events that the rules evaluated, including the one that changed the status, ascending. */
  readonly causes: readonly number[];
  /** For a stuck count at its limit: the counted events (`stuckAt`), ascending; else empty. */
  readonly counted: readonly number[];
}

/**
 * The history of a task's status, from now back to its addition, or a limited number of changes.
 */
export async function explainedChanges(
  readModel: ReadModel,
  log: EventLog,
  task: number,
  last = Number.POSITIVE_INFINITY,
): Promise<ExplainedChange[]> {
  const { statusChanges } = readModel.rowsOf(boardTables);
  return await explained(readModel, log, statusChanges.where({ task_id: task }).slice(-last));
}

/** The changes of a task's status by some events, in their order. */
export async function changesOfTask(
  readModel: ReadModel,
  log: EventLog,
  task: number,
  positions: readonly number[],
): Promise<ExplainedChange[]> {
  const { statusChanges } = readModel.rowsOf(boardTables);
  const changes = positions.flatMap((position) =>
    statusChanges.where({ position }, ({ task_id }) => task_id === task),
  );
  return (await explained(readModel, log, changes)).reverse();
}

/** The changes of all tasks by one event, newest first. */
export async function changesAt(
  readModel: ReadModel,
  log: EventLog,
  position: number,
): Promise<ExplainedChange[]> {
  const { statusChanges } = readModel.rowsOf(boardTables);
  return await explained(readModel, log, statusChanges.where({ position }));
}

async function explained(
  readModel: ReadModel,
  log: EventLog,
  changes: StatusChange[],
): Promise<ExplainedChange[]> {
  const reasons: ExplainedChange[] = [];
  for (const change of changes.reverse()) reasons.push(await explain(readModel, log, change));
  return reasons;
}

async function explain(readModel: ReadModel, log: EventLog, change: StatusChange): Promise<ExplainedChange> {
  const { position, task_id, from_status, to_status, rule, session_id } = change;
  const board = readModel.rowsOf(boardTables);
  const causes: number[] = parseColumn(change.causes);
  const session = session_id === null ? undefined : board.sessions.get(session_id);
  const ended = session?.ended_position === position ? session : undefined;
  const events: Event[] = [];
  for (const cause of causes) {
    const event = await eventAt(log, cause);
    if (event) events.push(event);
  }
  const counted = rule === "settlement 7a" && ended ? countedAt(readModel, ended, events) : [];
  const { escalated, ...grounds } = groundsIn(board, events, causes);
  const means = ruleOf(rule, to_status, {
    ...grounds,
    counted: counted.length > 0,
    // A gate that was tried may only have prevented the done.
    escalated: ended?.unverified && grounds.question && escalated ? undefined : escalated,
  });
  const ending = ended && ruleOfEnd(readModel, ended);
  const released = causes.some((cause) => wasReleased(board, cause, change));
  return {
    position,
    task: task_id,
    from: from_status,
    to: to_status,
    rule,
    ...(means && { means }),
    after: [...(ending ? [ending] : []), ...(released ? [RULES.released] : [])],
    session: session_id,
    causes,
    counted,
  };
}

/** Text of the evaluated events about the ground that applied; none of them was counted. */
export function groundsIn(
  board: Pick<Board, "questions">,
  events: readonly Event[],
  causes: readonly number[],
): Grounds & { readonly escalated: boolean } {
  const question = causes.some((cause) => board.questions.get(cause) !== undefined);
  const escalated = events.some(({ type }) => type === "gate.attempted");
  return {
    counted: false,
    aborted: events.some(({ type, payload }) => type === "gate.acted" && payload.action === "abort"),
    ...{ question, escalated },
    // The end of a session is among the causes of each settlement, so nothing else tells.
    stalled: !question && !escalated,
  };
}

/** How the session's end changed the meaning of its closing verb; undefined if it did not. */
export function ruleOfEnd(
  readModel: ReadModel,
  { id, task_id, inferred, closing, unverified }: Session,
): Rule | undefined {
  if (task_id === null) return RULES.withoutTask;
  if (inferred) return RULES.inferred;
  if (closing === null) return RULES.cancelled;
  if (!unverified) return undefined;
  const { sessionFindings } = readModel.rowsOf(boardTables);
  const isRefused = ledTo("refuse", sessionFindings.where({ session_id: id })).length > 0;
  return isRefused ? RULES.refused : RULES.unverified;
}

/** Whether an event raised a blocker of the task that resolved by itself at the change. */
function wasReleased(board: Board, cause: number, { position }: StatusChange): boolean {
  const blocker = board.blockers.get(cause);
  return (
    blocker !== undefined &&
    blocker.depends_on !== null &&
    board.statusChanges
      .where({ position, task_id: blocker.depends_on })
      .some(({ to_status }) => isSettled({ status: to_status }))
  );
}

/**
 * The sessions that brought the stuck count to its limit at a session's end; empty below the limit.
 */
function countedAt(readModel: ReadModel, ended: Session, causes: readonly Event[]): number[] {
  const set = causes.findLast(
    ({ type, payload }) => type === "policy.set" && payload.policy === "stuck_limit",
  );
  const limit = set?.type === "policy.set" ? Number(set.payload.value) : policies.stuck_limit.absent;
  const count = ended.stuck_count ?? 0;
  if (count < limit) return [];
  return ascending(
    stuckSessions(readModel, ended.task_id ?? 0, { by: ended.ended_position ?? 0, count }).map(stuckAt),
  );
}

/**
 * The sessions in a stuck count: the last so many that raised it, newest first. Stuck ones, reported or inferred, and, by the
 * policy `waiting_is_stuck`, others.
 */
export function stuckSessions(
  readModel: ReadModel,
  task: number,
  { by, count }: { readonly by: number; readonly count: number },
): Session[] {
  const ended = readModel
    .rowsOf({ sessions })
    .sessions.where({ task_id: task })
    .filter(({ ended_position }) => ended_position !== null && ended_position <= by)
    .sort((a, b) => (b.ended_position ?? 0) - (a.ended_position ?? 0));
  const countBefore = (index: number) => ended[index + 1]?.stuck_count ?? 0;
  return ended
    .filter(
      ({ closing, stuck_count }, index) => closing === "stuck" || (stuck_count ?? 0) > countBefore(index),
    )
    .slice(0, count);
}

/** The event of a session's closing signal, or, without one, of its end. */
export function stuckAt({ last_closing_position, ended_position, started_position }: Session): number {
  return last_closing_position ?? ended_position ?? started_position;
}
