import { eventAt } from "../../events/event-at.ts";
import type { EventLog } from "../../events/log.ts";
import type { TaskStatus } from "../../events/types/fields.ts";
import type { Event } from "../../events/types/index.ts";
import { policyDefaults } from "../../events/types/policies.ts";
import { isSettled } from "../../projections/board/dependencies.ts";
import { sessions } from "../../projections/board/session-tables.ts";
import { type Board, boardTables, type Session, type StatusChange } from "../../projections/board/tables.ts";
import type { ReadModel } from "../../projections/read-model.ts";
import { ascending } from "./cited-events.ts";
import { RULES, type Rule } from "./rules.ts";
import { type Grounds, ruleOf } from "./status-rule.ts";

/** A change of a status, and why. Events are named by their positions. */
export interface ExplainedChange {
  readonly position: number;
  readonly task: number;
  /** Null when the task was added. */
  readonly from: TaskStatus | null;
  readonly to: TaskStatus;
  /** By the name that `status_changes` has for it. */
  readonly rule: string;
  /** Where the rule stands in rules.md, and what it says; absent where another program's read model names one of its own. */
  readonly means?: Rule;
  /** The rules that had come before, in their order: what became of the closing verb, which blockers resolved. */
  readonly after: readonly Rule[];
  readonly session: string | null;
  /** The events that the rules looked at, the one that changed the status included, ascending. */
  readonly causes: readonly number[];
  /** Of a stuck count that reached its limit: what was counted (`stuckAt`), ascending; empty for all else. */
  readonly counted: readonly number[];
}

/** How a task's status came to be, from the present one back to when the task was added, or so many changes of it. */
export async function explainedChanges(
  readModel: ReadModel,
  log: EventLog,
  task: number,
  last = Number.POSITIVE_INFINITY,
): Promise<ExplainedChange[]> {
  const { statusChanges } = readModel.rowsOf(boardTables);
  return await explained(readModel, log, statusChanges.where({ task_id: task }).slice(-last));
}

/** The changes that one event made, of all tasks, the last one first. */
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
  const causes: number[] = JSON.parse(change.causes);
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
    // One that was tried may have been no more than in the way of a done.
    escalated: ended?.unverified && grounds.question && escalated ? undefined : escalated,
  });
  const ending = ended && ruleOfEnd(ended);
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

/** What the events at which a rule looked say of the ground on which it was met; none of them was counted. */
export function groundsIn(
  board: Pick<Board, "questions">,
  events: readonly Event[],
  causes: readonly number[],
): Grounds & { readonly escalated: boolean } {
  return {
    counted: false,
    aborted: events.some(({ type, payload }) => type === "gate.acted" && payload.action === "abort"),
    question: causes.some((cause) => board.questions.get(cause) !== undefined),
    escalated: events.some(({ type }) => type === "gate.attempted"),
  };
}

/** What became of the closing verb when a session ended; undefined where it stood as it was. */
export function ruleOfEnd({ inferred, closing, unverified }: Session): Rule | undefined {
  if (inferred) return RULES.inferred;
  if (closing === null) return RULES.cancelled;
  return unverified ? RULES.unverified : undefined;
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

/** What brought the stuck count to its limit when a session ended; nothing where it had not come so far. */
function countedAt(readModel: ReadModel, ended: Session, causes: readonly Event[]): number[] {
  const set = causes.find(({ type }) => type === "policy.set");
  const limit = set?.type === "policy.set" ? set.payload.value : policyDefaults.stuck_limit;
  const count = ended.stuck_count ?? 0;
  if (count < limit) return [];
  return ascending(
    stuckSessions(readModel, ended.task_id, { by: ended.ended_position ?? 0, count }).map(stuckAt),
  );
}

/** The sessions that a stuck count counts: the last so many that were stuck, said so or inferred, the last one first. */
export function stuckSessions(
  readModel: ReadModel,
  task: number,
  { by, count }: { readonly by: number; readonly count: number },
): Session[] {
  return readModel
    .rowsOf({ sessions })
    .sessions.where({ task_id: task, closing: "stuck" })
    .filter(({ ended_position }) => ended_position !== null && ended_position <= by)
    .sort((a, b) => (b.ended_position ?? 0) - (a.ended_position ?? 0))
    .slice(0, count);
}

/** Where a session said that it was stuck, or, where it said nothing, where it ended. */
export function stuckAt({ last_closing_position, ended_position, started_position }: Session): number {
  return last_closing_position ?? ended_position ?? started_position;
}
