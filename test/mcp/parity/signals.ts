import { z } from "zod";
import type { Verb } from "../../../src/events/types/signals.ts";
import { startSession } from "../../../src/operations/sessions.ts";
import type { Row } from "./row.ts";

const given = [startSession({ task: 7, session: "s-1" })];
/** The command answers as the tool does. */
const shows = { answer: z.unknown(), printed: z.unknown() };

export const signalRows = {
  done: {
    given,
    shows,
    command: verb("done", "--summary", "Lobby channel with join, leave and chat. 14 tests pass."),
  },
  partial: {
    given,
    shows,
    command: verb(
      "partial",
      "--summary",
      "12 of 18 test cases written.",
      "--remaining",
      "Delete edge cases and bulk operations.",
    ),
  },
  stuck: {
    given,
    shows,
    command: verb("stuck", "--reason", "The config is written, but there is no GPU host to try it on."),
  },
  ask: {
    given,
    shows,
    command: verb(
      "ask",
      ...["--question", "Sync or async retries?", "--blocking"],
      ...["--option", "sync", "--option", "async", "--preferred", "sync"],
    ),
  },
  flag: {
    given,
    shows,
    command: verb(
      "flag",
      "--what",
      "An empty URL passes validation.",
      "--severity",
      "warning",
      "--category",
      "bug",
    ),
  },
  learned: {
    given,
    shows,
    command: verb(
      "learned",
      ...["--text", "localStorage holds 5 MB per origin.", "--kind", "discovery"],
      ...["--rationale", "It bounds the number of bookmarks.", "--scope", "feature"],
    ),
  },
  suggest: {
    given,
    shows,
    command: verb(
      "suggest",
      ...["--what", "Add an endpoint that verifies the audit chain", "--kind", "new_task"],
      ...["--why", "Streaming millions of rows is a task of its own.", "--feature", "audit-log"],
    ),
  },
  blocked: {
    given,
    shows,
    command: verb(
      "blocked",
      "--on",
      "Redis credentials",
      "--kind",
      "external",
      "--detail",
      "None in .env.example.",
    ),
  },
} satisfies Record<Verb, Row>;

function verb(name: Verb, ...options: readonly string[]): readonly string[] {
  return ["signal", name, "--session", "s-1", ...options];
}
