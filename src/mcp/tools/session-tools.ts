import { z } from "zod";
import { AGENT } from "../../events/actors.ts";
import { sessionId, taskId, taskStatuses } from "../../events/types/fields.ts";
import { sessionExits } from "../../events/types/sessions.ts";
import { endSessionWith, newSessionId, settledSession, startSessionOn } from "../../operations/sessions.ts";
import { askAtHead } from "../../read-model/ask.ts";
import { CREATING, decideFor, defineTool } from "../tool.ts";

/** Tools for a client that drives an agent by hand; the session's state is in session-state.ts. */
export const sessionTools = [
  defineTool({
    name: "create_ralph_session",
    title: "Start a session",
    description:
      "Start a session on a ready task: the task becomes in_progress, and the verbs now report for " +
      "this session. End it with complete_ralph_session.",
    input: z.strictObject({ taskId }),
    output: z.strictObject({ sessionId, taskId, state: z.literal("idle"), next: z.string() }),
    annotations: CREATING,
    command: "session start",
    example: { taskId: 7 },
    async run({ taskId: task }, call) {
      call.sessions.checkOwn();
      const session = newSessionId(call.store.environment, call.key);
      await decideFor(call, startSessionOn(call.store.ownHost?.(), { task, session, force: false }));
      await call.gates?.keepBeginning(session);
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
      "End a session that no driver watches: its reports settle its task. Its closing verb (done, " +
      "partial or stuck) decides the outcome; without one it counts as stuck.",
    input: z.strictObject({
      sessionId,
      exit: z.enum(sessionExits).describe("How the run ended, not its result."),
    }),
    output: z.strictObject({
      sessionId,
      outcome: z.enum(["success", "partial", "failure", "timeout", "cancelled"]),
      closing: z.enum(["done", "partial", "stuck"]).nullable(),
      taskId: taskId.nullable(),
      taskStatus: z.enum(taskStatuses),
    }),
    annotations: CREATING,
    command: "session end",
    example: { sessionId: "s-1", exit: "exited" },
    async run({ sessionId: session, exit }, call) {
      call.sessions.checkOwn(session);
      const found = (await call.gates?.foundAtEnd(session)) ?? {};
      await decideFor(call, endSessionWith(found, { session, exit }));
      call.sessions.release(session);
      const ended = await askAtHead(call.store, (readModel) => settledSession(readModel, session));
      const { outcome, closing, task: taskId, status: taskStatus = "pending" } = ended;
      return { sessionId: session, outcome, closing, taskId, taskStatus };
    },
  }),
] as const;
