import type { Decision } from "../decisions/decide.ts";
import type { EventType } from "../events/types/index.ts";

/** An operation as the API shows it: what makes its decision, without its words for tools and commands. */
export function decisionOf<Input, First extends EventType>(
  operation: (input: Input) => Decision<First>,
): (input: Input) => Decision<First> {
  return operation;
}
