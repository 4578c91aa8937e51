import { z } from "zod";
import { type Reporter, reportState } from "../decisions/reports.ts";
import type { Store } from "../decisions/store.ts";
import { sessionId } from "../events/types/fields.ts";
import { reportedStates, stateMetadata } from "../events/types/sessions.ts";
import { REPORTING, type Tool, ToolRefusal } from "./tool.ts";

const input = z.strictObject({
  sessionId: sessionId.describe("Your RALPH_SESSION_ID."),
  state: z.enum(reportedStates),
  metadata: stateMetadata.optional().describe("files, testResults {passed, failed, skipped}, error"),
});

/** Seed 003's tool: the agent says which phase it is in. */
export function stateTool(open: () => Promise<Store>, reporter: Reporter): Tool {
  return {
    name: "update_session_state",
    title: "Report your phase",
    description: "Report each change of phase.",
    input,
    annotations: REPORTING,
    async run(args, eventId) {
      const { sessionId: session, state, metadata } = input.parse(args);
      if (session !== reporter.session) {
        throw new ToolRefusal(
          `Nothing was recorded: \`sessionId\` is "${session}", and you can only report for your own session. ` +
            `Call update_session_state again with sessionId "${reporter.session}".`,
        );
      }
      const report = await reportState(await open(), reporter, { state, metadata, id: eventId });
      return {
        success: true,
        previousState: report.previousState,
        newState: report.newState,
        transitionedAt: report.transitionedAt,
        ...(report.irregular && {
          hint: `${report.previousState} to ${state} is an unusual step; it was recorded.`,
        }),
      };
    },
  };
}
