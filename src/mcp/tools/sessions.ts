import { z } from "zod";
import { endSession, startSession } from "../../decisions/sessions.ts";
import { AGENT } from "../../events/actors.ts";
import { idFromKey } from "../../events/ids.ts";
import { sessionId, taskId, taskStatuses } from "../../events/types/fields.ts";
import { sessionExits } from "../../events/types/sessions.ts";
import { askAtHead } from "../../projections/ask.ts";
import { findSession, sessionOutcome } from "../../projections/queries/sessions.ts";
import { findTask } from "../../projections/queries/tasks.ts";
import { type Call, CREATING, decideFor, defineTool } from "../tool.ts";
import { ToolRefusal } from "../tool-refusal.ts";

/** Tools for a client that drives an agent by hand; the session's state is in session-state.ts. */
export const sessionTools = [
  defineTool({
    name: "create_ralph_session",
    title: "Start a session",
    description:
      "Start a session on a ready task: it is in progress, and the verbs report for it from now on. " +
      "End it with complete_ralph_session.",
    input: z.strictObject({ taskId }),
    output: z.strictObject({ sessionId, taskId, state: z.literal("idle"), next: z.string() }),
    annotations: CREATING,
    command: "session start",
    example: { taskId: 7 },
    async run({ taskId: task }, call) {
      const fresh = call.key ? idFromKey("session", call.key) : call.store.environment.newId();
      const session = `s-${fresh}`;
      await decideFor(call, startSession({ task, session }));
      call.sessions.adopt({ task, session, actor: AGENT });
      return {
        sessionId: session,
        taskId: task,
        state: "idle" as const,
        next: "Report phases with update_session_state and this sessionId; close with done, partial or stuck, then call complete_ralph_session.",
      };
    },
  }),
  defineTool({
    name: "complete_ralph_session",
    title: "End a session",
    description:
      "End a session that no driver watches: its task is settled by what was reported. The outcome follows from the last of " +
      "done, partial, stuck; without one it counts as stuck.",
    input: z.strictObject({
      sessionId,
      exit: z.enum(sessionExits).describe("How it ended, not how it went."),
    }),
    output: z.strictObject({
      sessionId,
      outcome: z.enum(["success", "partial", "failure", "timeout", "cancelled"]),
      closing: z.enum(["done", "partial", "stuck"]).nullable(),
      taskId,
      taskStatus: z.enum(taskStatuses),
    }),
    annotations: CREATING,
    command: "session end",
    example: { sessionId: "s-1", exit: "exited" },
    async run({ sessionId: session, exit }, call) {
      await checkUnwatched(call, session);
      await decideFor(call, endSession({ session, exit }));
      call.sessions.release(session);
      return askAtHead(call.store, (readModel) => {
        const ended = sessionOutcome(readModel, session);
        const task = ended && findTask(readModel, ended.task);
        return {
          sessionId: session,
          outcome: ended?.outcome ?? "failure",
          closing: ended?.closing ?? null,
          taskId: ended?.task ?? 0,
          taskStatus: task?.status ?? "pending",
        };
      });
    },
  }),
] as const;

/** A driver ends the sessions that it watches, by how their agents really ended. @throws ToolRefusal */
async function checkUnwatched(call: Call, id: string): Promise<void> {
  const session = await askAtHead(call.store, (readModel) => findSession(readModel, id));
  if (!session?.driver || session.exit !== null) return;
  throw new ToolRefusal(
    `Nothing was recorded: session ${id} is watched by the driver ${session.driver}, which ends it when its agent has ended. ` +
      "Close it with done, partial or stuck, and end your work.",
  );
}
