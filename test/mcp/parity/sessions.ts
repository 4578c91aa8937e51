import { z } from "zod";
import { startSession } from "../../../src/operations/sessions.ts";
import type { Row } from "./row.ts";

const given = [startSession({ task: 7, session: "s-1" })];

export const sessionRows = {
  create_ralph_session: { command: ["session", "start", "7"] },
  update_session_state: {
    given,
    shows: { answer: z.unknown(), printed: z.unknown() },
    command: [
      ...["session", "state", "s-1", "testing"],
      ...["--metadata", '{"testResults": {"passed": 12, "failed": 1}}'],
    ],
  },
  complete_ralph_session: {
    given,
    shows: {
      answer: z
        .looseObject({})
        .transform(({ closing, outcome, taskId, taskStatus }) => [closing, outcome, taskId, taskStatus]),
      printed: z
        .looseObject({})
        .transform(({ closing, outcome, task, status }) => [closing, outcome, task, status]),
    },
    command: ["session", "end", "s-1", "--exit", "exited"],
  },
} satisfies Record<string, Row>;
