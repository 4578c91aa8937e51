import { cancelCauses, reportedStates, sessionExits, sessionStates } from "../../events/types/sessions.ts";
import { defineTable, flag, integer, json, means, nullable, oneOf, text } from "../table.ts";

/* Settlement's tables about sessions. */

const closings = ["done", "partial", "stuck"] as const;
const sessionOutcomes = ["success", "partial", "failure", "timeout", "cancelled"] as const;

/** The session states that last for some time: the final state begins with the session's end. */
export const lastingPhases = ["idle", ...reportedStates] as const;

const timeInPhase = means(
  nullable(integer),
  "microseconds in that phase; NULL if it never reached it or has not left it yet",
);
/** How long a session was in each phase, and how often it went back. */
const phaseColumns = {
  idle_us: timeInPhase,
  analyzing_us: timeInPhase,
  implementing_us: timeInPhase,
  testing_us: timeInPhase,
  committing_us: timeInPhase,
  reviewing_us: timeInPhase,
  returns: means(integer, "how often it went from testing back to implementing"),
} as const;

export const sessions = defineTable("sessions", {
  description: "One row for each session.",
  columns: {
    id: means(text, "the id given when it was started"),
    task_id: means(nullable(integer), "NULL for a session without a task"),
    recipe: means(nullable(text), "of a session without a task"),
    implicit: means(flag, "1 if a signal started it because nobody else had"),
    forced: means(flag, "1 if its task was not ready"),
    current_state: oneOf(sessionStates),
    states: means(integer, "how many states it has had, including the present one"),
    exit: means(nullable(oneOf(sessionExits)), "NULL while it is open"),
    end_reason: means(nullable(text), "why it ended, as reported when it was ended"),
    cause: means(
      nullable(oneOf(cancelCauses)),
      "what cancelled it; NULL if a human or a signal did, and if it was not cancelled",
    ),
    closing: means(
      nullable(oneOf(closings)),
      "NULL while it is open, and if it was cancelled without a closing verb",
    ),
    inferred: means(flag, "1 if `closing` is a stuck that was inferred"),
    unverified: means(
      flag,
      "1 if `closing` is a done that its gates or what was found in its workspace did not confirm",
    ),
    outcome: means(nullable(oneOf(sessionOutcomes)), "NULL while it is open"),
    stuck_count: means(nullable(integer), "the stuck count of its task after its end; NULL while it is open"),
    irregular: means(integer, "how many steps between states were unusual"),
    signals: means(integer, "how many signals counted"),
    late: means(integer, "how many came after its end"),
    learned: means(flag, "1 if it reported a learning"),
    driver: means(nullable(text), "the driver's run that watches it; NULL if none does. See `loops`"),
    host: means(nullable(text), "where it runs; NULL if that was not recorded. See `hosts`"),
    workspace_start: means(nullable(text), "a fingerprint"),
    workspace_end: means(nullable(text), "a fingerprint"),
    started_position: integer,
    ended_position: nullable(integer),
    started_at: text,
    completed_at: means(nullable(text), "NULL while it is open"),
    last_closing: means(nullable(oneOf(closings)), "the closing verb that counts so far"),
    last_closing_position: nullable(integer),
    last_closing_text: means(nullable(text), "the text of that verb"),
    state_since_us: means(integer, "when it entered `current_state`: microseconds since 1970"),
    ...phaseColumns,
  },
  key: ["id"],
  lookups: { by_task: ["task_id", "started_position"] },
  indexes: {
    by_start: ["started_position"],
    by_end: ["completed_at"],
    by_driver: ["driver", "started_position"],
  },
});

/**
 * Written once, at a session's end: statistics over many sessions read these narrow rows, in the
 * order of starts.
 */
export const sessionTimes = defineTable("session_times", {
  description: "One row for each ended session: its outcome, and its time in each phase.",
  columns: {
    started_position: integer,
    ended_position: integer,
    session_id: text,
    task_id: means(nullable(integer), "NULL for a session without a task"),
    started_at: text,
    completed_at: text,
    length_us: means(integer, "microseconds"),
    outcome: oneOf(sessionOutcomes),
    closing: means(nullable(oneOf(closings)), "NULL if it was cancelled without a closing verb"),
    inferred: means(flag, "1 if `closing` is a stuck that was inferred"),
    unverified: means(
      flag,
      "1 if `closing` is a done that its gates or what was found in its workspace did not confirm",
    ),
    ...phaseColumns,
  },
  key: ["started_position"],
  indexes: { by_end: ["ended_position", "closing", "inferred", "unverified"] },
});

export const sessionStateRows = defineTable("session_states", {
  description: "The states of each session in order.",
  columns: {
    session_id: text,
    ordinal: means(integer, "1, 2, 3, … within the session"),
    state: oneOf(sessionStates),
    irregular: means(flag, "1 if the step into it is unusual"),
    position: integer,
    entered_at: means(text, "ISO 8601"),
    metadata: means(json, "object, as reported; `error` in the last one says why a session failed"),
  },
  key: ["session_id", "ordinal"],
  indexes: { by_position: ["position"] },
});
