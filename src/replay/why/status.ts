import type { EventLog } from "../../events/log.ts";
import type { TaskStatus } from "../../events/types/fields.ts";
import { policyDefaults } from "../../events/types/policies.ts";
import type { StatusRule } from "../../projections/board/status-rules.ts";
import { type Session, type StatusChange, sessions, statusChanges } from "../../projections/board/tables.ts";
import type { ReadModel } from "../../projections/read-model.ts";
import { type Rule, STATUS_RULES } from "./rules.ts";

/** A change of a status, and why. Events are named by their positions. */
export interface StatusReason {
  readonly position: number;
  readonly task: number;
  /** Null when the task was added. */
  readonly from: TaskStatus | null;
  readonly to: TaskStatus;
  /** By the name that `status_changes` has for it. */
  readonly rule: string;
  /** Where the rule stands in rules.md, and what it says; absent where another program's read model names one of its own. */
  readonly means?: Rule;
  readonly session: string | null;
  /** The events that the rule looked at, the one that changed the status included, ascending. */
  readonly causes: readonly number[];
  /** Of a stuck count that reached its limit: the reports that were counted, ascending; empty for all else. */
  readonly counted: readonly number[];
}

/** How a task came to its present status; null where there never was such a task. */
export async function lastStatusReason(
  readModel: ReadModel,
  log: EventLog,
  task: number,
): Promise<StatusReason | null> {
  const change = readModel.rowsOf({ statusChanges }).statusChanges.where({ task_id: task }).at(-1);
  return change ? reasonOf(readModel, log, change) : null;
}

/** How a task's status came to be, from the present one back to when the task was added. */
export async function statusReasons(
  readModel: ReadModel,
  log: EventLog,
  task: number,
): Promise<StatusReason[]> {
  const changes = readModel.rowsOf({ statusChanges }).statusChanges.where({ task_id: task });
  const reasons: StatusReason[] = [];
  for (const change of changes.reverse()) reasons.push(await reasonOf(readModel, log, change));
  return reasons;
}

async function reasonOf(readModel: ReadModel, log: EventLog, change: StatusChange): Promise<StatusReason> {
  const { position, task_id, from_status, to_status, rule, session_id } = change;
  const causes: number[] = JSON.parse(change.causes);
  return {
    position,
    task: task_id,
    from: from_status,
    to: to_status,
    rule,
    ...(isRule(rule) && { means: STATUS_RULES[rule] }),
    session: session_id,
    causes,
    counted: rule === "settlement 7a" ? await reportsCounted(readModel, log, change, causes) : [],
  };
}

/** @returns false for a rule that this version of the program does not know */
function isRule(rule: string): rule is StatusRule {
  return Object.hasOwn(STATUS_RULES, rule);
}

/**
 * The reports that brought the stuck count to its limit: the last so many of the task up to then, since whenever the count
 * is that high they all came after it last began anew. None where an aborted gate was the reason.
 */
async function reportsCounted(
  readModel: ReadModel,
  log: EventLog,
  { task_id, position }: StatusChange,
  causes: readonly number[],
): Promise<number[]> {
  let limit: number = policyDefaults.stuck_limit;
  for (const cause of causes) {
    const [event] = await log.read(cause - 1, 1);
    if (event?.type === "gate.acted" && event.payload.action === "abort") return [];
    if (event?.type === "policy.set") limit = event.payload.value;
  }
  return stuckSessions(readModel, task_id, position)
    .slice(0, limit)
    .map(reportOf)
    .sort((a, b) => a - b);
}

/** The sessions of a task that were stuck, said so or inferred, that had ended by a position; the last one first. */
export function stuckSessions(readModel: ReadModel, task: number, by: number): Session[] {
  return readModel
    .rowsOf({ sessions })
    .sessions.where({ task_id: task, closing: "stuck" })
    .filter(({ ended_position }) => ended_position !== null && ended_position <= by)
    .sort((a, b) => (b.ended_position ?? 0) - (a.ended_position ?? 0));
}

/** The position of what a session said last, or, where it said nothing, of its end. */
export function reportOf({ last_closing_position, ended_position, started_position }: Session): number {
  return last_closing_position ?? ended_position ?? started_position;
}
