import type { Decision, PlannedEvent } from "../../src/decisions/decide.ts";
import type { Happens } from "./given.ts";

/** A decision, what it comes to, and what may be asked for in its stead. */
export interface Case {
  readonly what: string;
  /** What happens in the project before. */
  readonly before?: readonly Happens[];
  readonly asked: Decision;
  /** The one event that it plans, exactly: an optional field that was not given is absent. */
  readonly event: PlannedEvent;
  /** Decisions of the same type with another input. */
  readonly others: readonly Decision[];
}
