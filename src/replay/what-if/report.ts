import type { TaskStatus } from "../../events/types/fields.ts";
import type { EventType } from "../../events/types/index.ts";
import type { Facts } from "./facts.ts";
import type { WhatIfPolicy } from "./policy.ts";

/** What another policy would have made of a history (docs/history.md#what-if); one JSON object of `signalbox what-if --json`. */
export interface WhatIfReport {
  readonly policy: WhatIfPolicy;
  /** The log's last event that was reduced. */
  readonly head: number;
  /** How many tasks have each status at the head; on the other side as far as that is known. */
  readonly counts: Both<Readonly<Partial<Record<TaskStatus, number>>>>;
  /** The first position where anything parts; null where nothing does. */
  readonly parts_at: number | null;
  /** The tasks that part, by the positions where they do. */
  readonly tasks: readonly TaskDifference[];
  readonly order: OrderDifference;
  /** What the sessions of the history were like. */
  readonly sessions: Facts;
}

/** The same of the history as it is, and under the other policy. */
export interface Both<Value> {
  readonly was: Value;
  readonly would_be: Value;
}

/** How the task stands at the head; `would_be` as of where its history departs, if it does. */
export interface TaskDifference extends Both<Standing | null> {
  readonly task: number;
  readonly title: string;
  /** The first event after which a row of the task is another one, and where they differ. */
  readonly parts_at: Parting;
  /**
   * The first event after which its status is another one, and the rule behind each; null where it never is, as far as its
   * history is known.
   */
  readonly status_parts_at: StatusParting | null;
  /** From where on its history would have been another one; null where all of its events could have happened. */
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
  /** Null where one side has no such row. */
  readonly field: string | null;
}

export interface StatusParting extends Both<StatusReason | null> {
  readonly position: number;
  readonly event: EventType;
}

export interface StatusReason {
  readonly status: TaskStatus;
  /** The rule of its last change of status, e.g. `settlement 7a`. */
  readonly rule: string;
  /** The positions that the rule looked at. */
  readonly causes: readonly number[];
}

/**
 * The first event of a task that nobody could have done in the other world, or that is left out there and had changed the
 * task here. From it on, all events of the task are left out.
 */
export interface Departure {
  readonly position: number;
  readonly event: EventType;
  readonly why: string;
  /** How the task stood then in the history as it is. */
  readonly was: Standing | null;
  readonly left_out: { readonly events: number; readonly sessions: number };
}

/** Sessions that took the next task, where another one would have been the next. */
export interface OrderDifference {
  readonly sessions: number;
  readonly first: {
    readonly position: number;
    readonly was: number;
    readonly would_be: number | null;
  } | null;
}
