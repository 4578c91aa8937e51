import type { Decision, PlannedEvent } from "../../src/decisions/decide.ts";
import type { EventType, PayloadOf } from "../../src/events/types/index.ts";
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

/** A decision whose event keeps all that was asked for, as it was asked. */
export function kept<Type extends EventType, Input>(
  what: string,
  type: Type,
  decisionOn: (input: Input) => Decision,
  asked: Input & PayloadOf<Type>,
  others: readonly Input[],
  before: readonly Happens[] = [],
): Case {
  // Of one type is an event with its payload; the compiler does not see that of a type that it does not know.
  const event = { type, payload: asked } as PlannedEvent;
  return { what, before, asked: decisionOn(asked), event, others: others.map((other) => decisionOn(other)) };
}
