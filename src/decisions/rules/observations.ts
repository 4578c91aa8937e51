import type { PayloadOf } from "../../events/types/index.ts";
import type { Decision, PlannedEvent } from "../decide.ts";
import { requireSession } from "../state.ts";

/*
 * A driver's observations of a session, for drivers that record them by commands. They are facts
 * and settle nothing; only the session must exist.
 */

/** @throws Refusal `not_found` */
export const observeAgentStart = (payload: PayloadOf<"agent.started">) =>
  observeAgent({ type: "agent.started", payload });

/** @throws Refusal `not_found` */
export const observeAgentUsage = (payload: PayloadOf<"agent.progressed">) =>
  observeAgent({ type: "agent.progressed", payload });

/** @throws Refusal `not_found` */
export const observeAgentEnd = (payload: PayloadOf<"agent.ended">) =>
  observeAgent({ type: "agent.ended", payload });

function observeAgent(event: PlannedEvent<"agent.started" | "agent.progressed" | "agent.ended">): Decision {
  const { session } = event.payload;
  return {
    type: event.type,
    input: event.payload,
    plan(state) {
      requireSession(state, session);
      return [{ ...event, correlation: session }];
    },
  };
}
