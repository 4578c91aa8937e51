import type { CancelCause, SessionExit } from "../events/types/sessions.ts";
import { isReady } from "../projections/board/status.ts";
import type { Task } from "../projections/board/tables.ts";
import type { Decision } from "./decide.ts";
import { Refusal } from "./refusal.ts";
import { requireSession, requireTask } from "./state.ts";
import { checkNoSession } from "./tasks.ts";

/** @throws Refusal `not_found`, `session_open`, `not_ready` (unless forced), `already_exists`: the session's id */
export function startSession(input: {
  task: number;
  session: string;
  force?: boolean | undefined;
  workspace?: string | undefined;
  /** The run of a driver that watches the session (src/loop/drivers/registry.ts). */
  driver?: string | undefined;
}): Decision<"session.started"> {
  const { task: id, session, force = false, workspace, driver } = input;
  return {
    type: "session.started",
    input: { task: id, session, workspace, force, driver },
    plan(state) {
      checkNoSession(state, id);
      if (state.sessions.get(session)) {
        throw new Refusal(
          "already_exists",
          `There is a session ${session} already; a new run needs a new id.`,
        );
      }
      const task = requireTask(state, id);
      const ready = isReady(task);
      if (!ready && !force) {
        throw new Refusal(
          "not_ready",
          `Task ${id} ${whyNotReady(task)}. Only a ready task is started, unless by force.`,
        );
      }
      return [
        {
          type: "session.started",
          correlation: session,
          payload: {
            session,
            task: id,
            forced: !ready,
            ...(workspace !== undefined && { workspace }),
            ...(driver !== undefined && { driver }),
          },
        },
      ];
    },
  };
}

function whyNotReady({ id, status, open_dependencies, depends_on, unapproved_gates, ...task }: Task): string {
  if (status !== "pending") return `is ${status}`;
  if (open_dependencies > 0) {
    return `waits for ${open_dependencies} of the tasks that it depends on (${JSON.parse(depends_on).join(", ")})`;
  }
  if (task.held_at > 0) {
    return `is held, since ${task.cancelled_in_a_row} sessions in a row were cancelled (\`signalbox task set ${id} --status pending\` lets it start again)`;
  }
  const gates = unapproved_gates === 1 ? "a gate" : `${unapproved_gates} gates`;
  return `has ${gates} that an agent declared and no human decided on (\`signalbox gate approve ${id}\`, or reject)`;
}

/** @throws Refusal `not_found`, `session_ended` */
export function endSession(input: {
  session: string;
  exit: SessionExit;
  workspace?: string | undefined;
  reason?: string | undefined;
  /** What cancelled it, where that was neither a human nor a signal. */
  cause?: CancelCause | undefined;
}): Decision<"session.ended"> {
  const { session: id, exit, workspace, reason, cause } = input;
  return {
    type: "session.ended",
    input,
    plan(state) {
      const session = requireSession(state, id);
      if (session.completed_at !== null) {
        throw new Refusal("session_ended", `Session ${id} ended before (${session.exit}).`);
      }
      return [
        {
          type: "session.ended",
          correlation: id,
          payload: {
            session: id,
            exit,
            ...(workspace !== undefined && { workspace }),
            ...(reason !== undefined && { reason }),
            ...(cause !== undefined && { cause }),
          },
        },
      ];
    },
  };
}
