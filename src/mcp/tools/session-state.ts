import { z } from "zod";
import { reportState, stateAnswer } from "../../decisions/rules/reports.ts";
import { sessionId } from "../../events/types/fields.ts";
import { reportedStates, sessionStates, stateMetadata } from "../../events/types/sessions.ts";
import { defineTool, REPORTING } from "../tool.ts";
import { ToolRefusal } from "../tool-refusal.ts";

/** The agent says which phase it is in. */
export const sessionStateTool = defineTool({
  name: "update_session_state",
  title: "Report your phase",
  description: "At each change.",
  input: z.strictObject({
    sessionId: sessionId.describe("Your RALPH_SESSION_ID."),
    state: z.enum(reportedStates),
    metadata: stateMetadata.optional().describe("files, testResults {passed, failed}, error"),
  }),
  output: z.strictObject({
    success: z.literal(true),
    previousState: z.enum(sessionStates),
    newState: z.enum(reportedStates),
    transitionedAt: z.string().describe("ISO 8601."),
    hint: z.string().optional().describe("Set if the step is unusual."),
  }),
  annotations: REPORTING,
  command: "session state",
  example: { sessionId: "s-1", state: "testing", metadata: { testResults: { passed: 12, failed: 1 } } },
  terse: true,
  async run({ sessionId: session, state, metadata }, { store, sessions, eventId }) {
    const reporter = sessions.find(session);
    if (!reporter) {
      throw new ToolRefusal(
        `Nothing was recorded: \`sessionId\` is "${session}", and you can only report for your own session. ` +
          `Call update_session_state again with sessionId "${sessions.current().session}".`,
      );
    }
    return stateAnswer(await reportState(store, reporter, { state, metadata, id: eventId }));
  },
});
