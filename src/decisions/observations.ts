import { FILES_LIMIT } from "../events/types/fields.ts";
import type { PayloadOf } from "../events/types/index.ts";
import type { Decision, PlannedEvent } from "./decide.ts";
import { requireSession } from "./state.ts";

/*
 * What a driver has seen of a session, for drivers that record it by commands. They are facts and settle nothing; only the session
 * must be known.
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

/** @throws Refusal `not_found` */
export function observeFiles(input: {
  session: string;
  files: readonly string[];
}): Decision<"workspace.reported"> {
  const { session, files } = input;
  return {
    type: "workspace.reported",
    input,
    plan(state) {
      const { task_id: task } = requireSession(state, session);
      const listed = [...new Set(files)].sort();
      const payload = {
        session,
        task,
        files: listed.slice(0, FILES_LIMIT),
        more: Math.max(0, listed.length - FILES_LIMIT),
      };
      return [{ type: "workspace.reported", correlation: session, payload }];
    },
  };
}

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
