import type { PlannedEvent } from "../../decisions/decide.ts";
import type { State } from "../../decisions/state.ts";
import type { EventType } from "../../events/types/index.ts";

/** A row of a foreign source that can be imported: a task, a comment, a signal. It becomes one batch of events. */
export interface Row extends Place {
  /** Tells it from every other row of its source, and stays when the source grows: the events' ids follow from it. */
  readonly key: string;
  /** All that it holds, as JSON: the same row again must hold the same. */
  readonly content: unknown;
  /** By what other rows name the task that it becomes. */
  readonly ref?: string | undefined;
  /** What had to be changed or left out, a sentence each. */
  readonly changes: readonly string[];
  /** Who acted, where it was not whoever imports it. */
  readonly actor?: string | undefined;
  /** True for what is reported only if there was something to do. */
  readonly quiet?: boolean;
  /** The type of its first event. */
  readonly type: EventType;
  /** The events that it becomes. @throws Refusal: it cannot be imported, as things stand */
  plan(context: RowContext): readonly PlannedEvent[];
}

/** A row that is not imported. */
export interface LeftOut extends Place {
  /** `skipped`: there is nothing to take; `refused`: it cannot be taken. */
  readonly leftOut: "skipped" | "refused";
  readonly why: string;
}

export interface Place {
  /** Where it stands in its source: `line 3`, `task_signals 12`, a file's name. */
  readonly at: string;
  /** What it is: task, comment, signal, … */
  readonly what: string;
  /** When it was written, as the source says; the log's own times are those of the import. */
  readonly time?: string | undefined;
}

/** What the plan of a row may look at. */
export interface RowContext {
  readonly state: State;
  /** The task that another row became, in this import or an earlier one. @throws Refusal `not_found` */
  taskOf(ref: string): number;
  /** Where the first event of another row stands, by that row's key. @throws Refusal `not_found` */
  positionOf(key: string): number;
  /** True for the position of an event that a row of this source became. */
  isOwn(position: number): boolean;
  /** Says of the row what else was changed. */
  note(change: string): void;
}

/** What became of a row. `known`: an earlier import has taken it. */
export interface RowReport extends Place {
  readonly outcome: "taken" | "changed" | "known" | "skipped" | "refused";
  /** Of its first event. */
  readonly position?: number;
  /** The task that it became. */
  readonly task?: number;
  /** What was changed, or why it was not taken. */
  readonly notes: readonly string[];
}
