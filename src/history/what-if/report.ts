import type { TaskStatus } from "../../events/types/fields.ts";
import type { EventType } from "../../events/types/index.ts";
import type { Facts } from "./facts.ts";
import type { WhatIfPolicy } from "./policy.ts";
import type { Saved } from "./saved.ts";

/**
 * The effects of another policy on a history (docs/history.md#what-if); one JSON object of
 * `signalbox what-if --json`.
 */
export interface WhatIfReport {
  readonly policy: WhatIfPolicy;
  /** The last event that was reduced. */
  readonly head: number;
  /** Task counts by status at the head; in the other world as far as known. */
  readonly counts: Both<Readonly<Partial<Record<TaskStatus, number>>>>;
  /** The first position where a task diverges; null if none does. */
  readonly parts_at: number | null;
  /** The diverging tasks, by the positions where they diverge. */
  readonly tasks: readonly TaskDifference[];
  readonly order: OrderDifference;
  /** Facts about the sessions of the history. */
  readonly sessions: Facts;
  /** What the log does not tell about these policies. */
  readonly cannot_know: readonly string[];
}

/** The value in the recorded history, and under the other policy. */
export interface Both<Value> {
  readonly was: Value;
  readonly would_be: Value;
}

/**
 * The task's state at the head; `would_be` is that just before its history becomes unknown, if it
 * does.
 */
export interface TaskDifference extends Both<Standing | null> {
  readonly task: number;
  readonly title: string;
  /** The first event after which a row of the task differs, and the differences. */
  readonly parts_at: Parting;
  /**
   * The first event after which its status differs, with both rules; null if it never differs while
   * its history is known.
   */
  readonly status_parts_at: StatusParting | null;
  /** From here on its history is unknown; null if all of its events were possible. */
  readonly other_history: Departure | null;
}

export interface Standing {
  readonly status: TaskStatus;
  readonly stuck_count: number;
}

export interface Parting {
  readonly position: number;
  readonly event: EventType;
  readonly fields: readonly FieldDifference[];
}

export interface FieldDifference extends Both<string | number | null> {
  /** The table of docs/read-model.md. */
  readonly table: string;
  /** Null if one side has no such row. */
  readonly field: string | null;
}

export interface StatusParting extends Both<StatusReason | null> {
  readonly position: number;
  readonly event: EventType;
}

export interface StatusReason {
  readonly status: TaskStatus;
  /** The rule of its last status change, e.g. `settlement 7a`. */
  readonly rule: string;
  /** The positions that the rule evaluated. */
  readonly causes: readonly number[];
}

/**
 * The task's first event that was impossible in the other world, or the first left-out event of
 * another task that had changed this one. All of the task's later events are left out.
 */
export interface Departure {
  readonly position: number;
  readonly event: EventType;
  readonly why: string;
  /** The task's state at that time in the recorded history. */
  readonly was: Standing | null;
  readonly left_out: { readonly events: number; readonly sessions: number };
  /** What these sessions took. */
  readonly saved: Saved;
}

/** Sessions that took the next task, when another one would have been next. */
export interface OrderDifference {
  readonly sessions: number;
  readonly first: {
    readonly position: number;
    readonly was: number;
    readonly would_be: number | null;
  } | null;
}
