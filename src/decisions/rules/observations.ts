import type { PayloadOf } from "../../events/types/index.ts";
import type { Decision, PlannedEvent } from "../decide.ts";
import { requireSession } from "../state.ts";

/*
 * Observations of a session: a driver's, which it records by commands, and what its agent was refused. They are facts and settle
 * nothing; only the session must exist.
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

/** What the session's agent was refused. @throws Refusal `not_found` */
export const observeRefusedAct = (payload: PayloadOf<"session.act_refused">) =>
  observeAgent({ type: "session.act_refused", payload });

type Observed = "agent.started" | "agent.progressed" | "agent.ended" | "session.act_refused";

function observeAgent(event: PlannedEvent<Observed>): Decision {
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
