import type { PayloadOf } from "../events/types/index.ts";
import type { Decision } from "./decide.ts";
import { Refusal } from "./refusal.ts";
import type { State } from "./state.ts";

/*
 * What a driver has seen of a session, for drivers that record it by commands. They are facts and settle nothing; only the session
 * must be known.
 */

/** @throws Refusal `not_found` */
export function observeAgentStart(input: PayloadOf<"agent.started">): Decision<"agent.started"> {
  return {
    type: "agent.started",
    input,
    plan(state) {
      requireSession(state, input.session);
      return [{ type: "agent.started", correlation: input.session, payload: input }];
    },
  };
}

/** @throws Refusal `not_found` */
export function observeAgentUsage(input: PayloadOf<"agent.progressed">): Decision<"agent.progressed"> {
  return {
    type: "agent.progressed",
    input,
    plan(state) {
      requireSession(state, input.session);
      return [{ type: "agent.progressed", correlation: input.session, payload: input }];
    },
  };
}

/** @throws Refusal `not_found` */
export function observeAgentEnd(input: PayloadOf<"agent.ended">): Decision<"agent.ended"> {
  return {
    type: "agent.ended",
    input,
    plan(state) {
      requireSession(state, input.session);
      return [{ type: "agent.ended", correlation: input.session, payload: input }];
    },
  };
}

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

const FILES_LIMIT = 1_000;

function requireSession(state: State, id: string) {
  const session = state.sessions.get(id);
  if (!session) {
    throw new Refusal(
      "not_found",
      `There is no session ${id}; \`signalbox session list\` shows those there are.`,
    );
  }
  return session;
}
