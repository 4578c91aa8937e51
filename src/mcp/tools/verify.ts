import { z } from "zod";
import { requireRunnable } from "../../decisions/rules/gates.ts";
import { requireTask, stateOf } from "../../decisions/state.ts";
import { gateNumber } from "../../events/types/fields.ts";
import { verification } from "../../gates/verifying/verification.ts";
import { catchUp } from "../../read-model/worker.ts";
import { type Call, defineTool } from "../tool.ts";
import { ToolRefusal } from "../tool-refusal.ts";

/** Runs gates for the agent: it names a gate, never a command (docs/gates.md). */
export const verifyTool = defineTool({
  name: "verify",
  title: "Run the gates",
  description: "Runs the task's gates as done does, and reports failures.",
  input: z.strictObject({ gate: gateNumber.optional() }),
  output: verification,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  command: "gate run",
  example: { gate: 1 },
  terse: true,
  async run({ gate }, call) {
    const { task } = await runnable(call, gate);
    return runsOf(call).stateOf(task);
  },
  async afterwards(_state, { gate }, call) {
    const { task, session } = call.sessions.current();
    return runsOf(call).verify({ task, session, gate, key: call.key });
  },
});

function runsOf({ gates }: Call) {
  if (gates) return gates;
  throw new ToolRefusal(
    "This server does not run gates. Go on; close the session with done, partial or stuck.",
  );
}

/**
 * @throws ToolRefusal: the session has ended; Refusal: there is no such gate, or it must not run
 */
async function runnable({ store, sessions }: Call, gate: number | undefined) {
  const reporter = sessions.current();
  await catchUp(store.readModel, store.log);
  const state = stateOf(store.readModel);
  const { open_session } = requireTask(state, reporter.task);
  const ended = state.sessions.get(reporter.session)?.completed_at;
  if (ended || (open_session !== null && open_session !== reporter.session)) {
    throw new ToolRefusal(
      ended
        ? `No gate was run: session ${reporter.session} has ended. Stop here.`
        : `No gate was run: session ${open_session} is working on task ${reporter.task}. Stop here.`,
    );
  }
  if (gate !== undefined) requireRunnable(state, { task: reporter.task, gate });
  return reporter;
}
