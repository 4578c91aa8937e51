import type { EventLog } from "../../events/log.ts";
import type { TaskStatus } from "../../events/types/fields.ts";
import type { Event } from "../../events/types/index.ts";
import { isSettled } from "../../projections/board/dependencies.ts";
import { isReady } from "../../projections/board/status.ts";
import { boardTables, type Gate } from "../../projections/board/tables.ts";
import { taskInShort } from "../../queries/task-trouble.ts";
import type { ReadModel } from "../../read-model/read-model.ts";
import { ascending, type CitedEvent, citationsIn, eventsOfTask } from "./cited-events.ts";
import { type NextStep, nextSteps, stuckLimit } from "./next.ts";
import { type ExplainedChange, explainedChanges, stuckAt, stuckSessions } from "./status.ts";
import { type StillReason, stillReason } from "./still.ts";

/**
 * Why a task has its state. Events are named by their positions and listed in `events`, each once.
 */
export interface TaskReasons {
  readonly kind: "task";
  /** The position that the answer is about. */
  readonly at: number;
  readonly id: number;
  /** Null, like all current values, for a deleted task: its history stays. */
  readonly title: string | null;
  readonly status: TaskStatus | null;
  readonly ready: boolean;
  /** Why it is in its state, in one sentence; null where nothing is wrong with it. */
  readonly in_short: string | null;
  /** The event that deleted it. */
  readonly deleted: number | null;
  /** Why it still has its status, if the original reason no longer applies; else null. */
  readonly still: StillReason | null;
  /** From the current status back to the task's addition. */
  readonly because: readonly ExplainedChange[];
  /** The actions needed for the next status. */
  readonly next: readonly NextStep[];
  readonly gates: readonly GateReason[];
  readonly stuck: StuckReason;
  readonly dependencies: readonly DependencyReason[];
  /** Every event named above, ascending. */
  readonly events: readonly CitedEvent[];
}

/**
 * The history of a gate's state: its declaration, decisions on it, attempts and acts, ascending.
 */
interface GateReason
  extends Pick<Gate, "gate" | "command" | "state" | "approval" | "attempts" | "max_attempts"> {
  readonly events: readonly number[];
}

/** The history of the stuck count: the event of each counted session, ascending. */
interface StuckReason {
  readonly count: number;
  readonly limit: number;
  /** The event that set the limit; null for the default. */
  readonly limit_set: number | null;
  readonly sessions: readonly {
    readonly session: string;
    readonly inferred: boolean;
    readonly event: number;
  }[];
}

interface DependencyReason {
  readonly task: number;
  readonly status: TaskStatus | null;
  /** True while it blocks the task. */
  readonly open: boolean;
  /** False if only open blockers hold it. */
  readonly declared: boolean;
  /**
   * Its declaration, the blockers that hold it, and the events behind the other task's status;
   * ascending.
   */
  readonly events: readonly number[];
}

/**
 * Explains a task's status by the rules and the events that they evaluated.
 *
 * @param readModel the state to explain, possibly of an earlier position than the log's head
 * @param last limits the number of status changes; absent: all
 * @returns undefined if the task never existed
 */
export async function whyTask(
  readModel: ReadModel,
  log: EventLog,
  id: number,
  { last }: { readonly last?: number | undefined } = {},
): Promise<TaskReasons | undefined> {
  const because = await explainedChanges(readModel, log, id, last);
  if (because.length === 0) return undefined;
  const at = readModel.position();
  const task = readModel.rowsOf(boardTables).tasks.get(id);
  const own = await eventsOfTask(log, id, at);
  const reasons = {
    still: task ? stillReason(readModel, task, because[0], own) : null,
    because,
    next: task ? nextSteps(readModel, task) : [],
    gates: gateReasons(readModel, id, own),
    stuck: stuckReason(readModel, id, at),
    dependencies: dependencyReasons(readModel, id, own),
    deleted: own.find(({ type }) => type === "task.deleted")?.position ?? null,
  };
  return {
    kind: "task",
    at,
    id,
    title: task?.title ?? null,
    status: task?.status ?? null,
    ready: task !== undefined && isReady(task),
    in_short: taskInShort(readModel, id),
    ...reasons,
    events: await citationsIn(
      readModel,
      log,
    )([
      ...(reasons.still?.causes ?? []),
      ...because.flatMap(({ causes, counted }) => [...causes, ...counted]),
      ...[reasons.next, reasons.gates, reasons.dependencies].flat().flatMap(({ events }) => events),
      ...reasons.stuck.sessions.map(({ event }) => event),
      reasons.stuck.limit_set,
      reasons.deleted,
    ]),
  };
}

function gateReasons(readModel: ReadModel, id: number, own: readonly Event[]): GateReason[] {
  const rows = readModel.rowsOf({ gates: boardTables.gates }).gates.where({ task_id: id });
  return rows.map(({ gate, command, state, approval, attempts, max_attempts, declared }) => {
    // A run's text comes from its end event.
    const acts = own.filter(
      ({ type, payload }) => type !== "gate.started" && "gate" in payload && payload.gate === gate,
    );
    const events = ascending([declared, ...acts.map(({ position }) => position)]);
    return { gate, command, state, approval, attempts, max_attempts, events };
  });
}

function stuckReason(readModel: ReadModel, id: number, at: number): StuckReason {
  const count = readModel.rowsOf(boardTables).tasks.get(id)?.stuck_count ?? 0;
  const { limit, set } = stuckLimit(readModel);
  const counted = stuckSessions(readModel, id, { by: at, count }).reverse();
  return {
    count,
    limit,
    limit_set: set,
    sessions: counted.map((session) => ({
      session: session.id,
      inferred: session.inferred === 1,
      event: stuckAt(session),
    })),
  };
}

function dependencyReasons(readModel: ReadModel, id: number, own: readonly Event[]): DependencyReason[] {
  const { dependencies, tasks, blockers, statusChanges } = readModel.rowsOf(boardTables);
  return dependencies.where({ task_id: id }).map(({ depends_on, declared }) => {
    const other = tasks.get(depends_on);
    const status = other?.status ?? null;
    const declaredAt = own.findLast(
      ({ payload }) =>
        "depends_on" in payload &&
        Array.isArray(payload.depends_on) &&
        payload.depends_on.includes(depends_on),
    );
    const holders = blockers.where(
      { task_id: id, state: "open" },
      (blocker) => blocker.depends_on === depends_on,
    );
    const changed = statusChanges.where({ task_id: depends_on }).at(-1);
    return {
      task: depends_on,
      status,
      open: other !== undefined && !isSettled(other),
      declared: declared === 1,
      events: ascending([
        ...(declared && declaredAt ? [declaredAt.position] : []),
        ...holders.map((blocker) => blocker.id),
        ...(changed ? [changed.position] : []),
      ]),
    };
  });
}
