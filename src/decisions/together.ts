import type { EventType } from "../events/types/index.ts";
import type { Decision } from "./decide.ts";

/**
 * Several decisions in one batch, all or none. Each reads the state before all of them.
 *
 * @returns a decision of the first one's type
 */
export function together<Type extends EventType>(
  first: Decision<Type>,
  ...others: readonly Decision[]
): Decision<Type> {
  const all: readonly Decision[] = [first, ...others];
  return {
    type: first.type,
    ...(first.or && { or: first.or }),
    input: all.map(({ input }) => input),
    permit(...by) {
      for (const decision of all) decision.permit?.(...by);
    },
    plan: (state) => all.flatMap((decision) => decision.plan(state)),
  };
}
