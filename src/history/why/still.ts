import type { Event } from "../../events/types/index.ts";
import { doneCauses } from "../../projections/board/settlement.ts";
import { waitingStatus } from "../../projections/board/status.ts";
import { type Board, boardTables, type Task } from "../../projections/board/tables.ts";
import type { ReadModel } from "../../read-model/read-model.ts";
import { ascending } from "./cited-events.ts";
import { type Rule, STATUS_RULES } from "./rules.ts";
import { type ExplainedChange, groundsIn } from "./status.ts";
import { ruleOf } from "./status-rule.ts";

/** A reason why a task keeps its status, other than the original one. */
export interface StillReason {
  /** Its name in `status_changes`. */
  readonly rule: string;
  readonly means?: Rule;
  /** The events that the rule evaluates now, ascending. */
  readonly causes: readonly number[];
}

/**
 * Why a task still waits, if its original reason is gone and another one holds it: a change that
 * keeps the status is not recorded.
 *
 * @param own the events of the task's stream
 */
export function stillReason(
  readModel: ReadModel,
  task: Task,
  last: ExplainedChange | undefined,
  own: readonly Event[],
): StillReason | null {
  if (!last) return null;
  const board = readModel.rowsOf(boardTables);
  const acts = own.filter(({ position, type }) => position > last.position && MAY_MOVE.test(type));
  const { status, reason } = waitingStatus(board, task);
  if (status === "pending" || status !== task.status) return byHand(task, acts);
  const causes = task.awaiting_acceptance ? causesOfAcceptance(board, task) : ascending(reason.causes ?? []);
  if (
    reason.rule === last.rule ? holdsAsBefore(board, causes, last, acts) : isByHand(last) && acts.length === 0
  )
    return null;
  const grounds = groundsIn(
    board,
    own.filter(({ position }) => causes.includes(position)),
    causes,
  );
  const means = ruleOf(reason.rule, status, grounds);
  return { rule: reason.rule, ...(means && { means }), causes };
}

/**
 * Human acts that can change what a task waits for; a blocker that resolves by itself is not an
 * event of the task.
 */
const MAY_MOVE = /^(?:question|blocker)\.|^gate\.(?:acted|rejected)$|^task\.status_set$/;

/** The status was set manually to its old value, and the original reason is gone. */
function byHand({ status }: Task, acts: readonly Event[]): StillReason | null {
  const set = acts.findLast(({ type, payload }) => type === "task.status_set" && payload.status === status);
  if (!set) return null;
  const rule = "humans: set a status";
  return { rule, means: STATUS_RULES[rule], causes: [set.position] };
}

function isByHand({ rule }: ExplainedChange): boolean {
  return rule === "humans: set a status";
}

function causesOfAcceptance(board: Board, task: Task): number[] {
  const [session] = board.sessions.where({ task_id: task.id, started_position: task.last_start });
  return session ? ascending(doneCauses(board, task, session)) : [];
}

/** Whether the events that the last change evaluated are all still the same. */
function holdsAsBefore(
  { questions, blockers }: Board,
  causes: readonly number[],
  last: ExplainedChange,
  acts: readonly Event[],
): boolean {
  const isGone = (cause: number) => {
    const waited = questions.get(cause) ?? blockers.get(cause);
    return waited !== undefined && waited.state !== "open";
  };
  return (
    causes.every((cause) => last.causes.includes(cause)) &&
    !last.causes.some(isGone) &&
    !acts.some(({ type }) => type.startsWith("gate."))
  );
}
