import { z } from "zod";
import { reportState, stateAnswer } from "../../decisions/rules/reports.ts";
import { AGENT } from "../../events/actors.ts";
import { sessionStateReported } from "../../events/types/sessions.ts";
import { idFromKey } from "../../lib/ids.ts";
import { BadValue } from "../../operations/command-words.ts";
import { defineCommand } from "../making/project-command.ts";

/** What `update_session_state` does, for agents without MCP. */
export const state = defineCommand({
  input: sessionStateReported.payload.extend({ metadata: z.record(z.string(), z.unknown()).optional() }),
  async run({ store, actor }, { session, state, metadata }, { key }) {
    const id = key === undefined ? store.environment.newId() : idFromKey(key, "0");
    return stateAnswer(await reportState(store, { session, actor }, { state, metadata, id }));
  },
  command: {
    name: "state",
    does: "report the phase that a session's agent is in",
    actor: AGENT,
    ownWork: ({ session }) => ({ session }),
    takes: {
      session: ["<session>", "the session's id"],
      state: ["<state>", "the phase"],
      metadata: [
        "--metadata <json>",
        "an object: files, testResults {passed, failed, skipped}, error",
        { parse: parseObject },
      ],
    },
    example: `s-1 testing --metadata '{"testResults": {"passed": 12, "failed": 1}}'`,
    says: ({ previousState, newState, hint }, { session }) => [
      `Session ${session}: ${previousState} → ${newState}.`,
      ...(hint === undefined ? [] : ["An unusual step; it was recorded."]),
    ],
  },
});

function parseObject(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new BadValue("It must be JSON.");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new BadValue('It must be a JSON object such as {"files": ["src/export.ts"]}.');
  }
  return { ...value };
}
