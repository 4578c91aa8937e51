import type { PlannedEvent } from "../../../decisions/decide.ts";
import type { State } from "../../../decisions/state.ts";
import type { EventType } from "../../../events/types/index.ts";

/**
 * An importable row of a foreign source: a task, a comment, a signal. It becomes one batch of
 * events.
 */
export interface Row extends Place {
  /** Unique in its source, and stable when the source grows: the events' ids derive from it. */
  readonly key: string;
  /** Its whole content as JSON: a repeated row must have the same. */
  readonly content: unknown;
  /** The name by which other rows refer to its task. */
  readonly ref?: string | undefined;
  /** One sentence for each changed or dropped part. */
  readonly changes: readonly string[];
  /** The actor, if not the importer. */
  readonly actor?: string | undefined;
  /** True if it is only reported when something was recorded. */
  readonly quiet?: boolean;
  /** The type of its first event. */
  readonly type: EventType;
  /** Its events. @throws Refusal: it cannot be imported now */
  plan(context: RowContext): readonly PlannedEvent[];
}

/** A row that is not imported. */
export interface LeftOut extends Place {
  /** `skipped`: nothing to import; `refused`: it cannot be imported. */
  readonly leftOut: "skipped" | "refused";
  readonly why: string;
}

export interface Place {
  /** Its place in the source: `line 3`, `task_signals 12`, a file's name. */
  readonly at: string;
  /** Its kind: task, comment, signal, … */
  readonly what: string;
  /** Its time in the source; the log's own times are those of the import. */
  readonly time?: string | undefined;
}

/** The context of a row's plan. */
export interface RowContext {
  readonly state: State;
  /** The task of another row, from this import or an earlier one. @throws Refusal `not_found` */
  taskOf(ref: string): number;
  /** The position of another row's first event, by that row's key. @throws Refusal `not_found` */
  positionOf(key: string): number;
  /** True if the event at a position came from this source. */
  isOwn(position: number): boolean;
  /** Adds a note about the row. */
  note(change: string): void;
}

/** A row's result. `known`: an earlier import recorded it. */
export interface RowReport extends Place {
  readonly outcome: "taken" | "changed" | "known" | "skipped" | "refused";
  /** Of its first event. */
  readonly position?: number;
  /** Its task. */
  readonly task?: number;
  /** The changes, or why it was not imported. */
  readonly notes: readonly string[];
}
