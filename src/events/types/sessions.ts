import { z } from "zod";
import { defineEvent } from "../event.ts";
import { fingerprint, hostId, longText, name, sessionId, sessionStream, taskId } from "./fields.ts";
import { recipeNames } from "./recipe-names.ts";
import { sessionWork } from "./session-work.ts";
import { structural } from "./structure.ts";

/** The states that an agent may report, in the usual order (docs/rules.md, Sessions). */
export const reportedStates = ["analyzing", "implementing", "testing", "committing", "reviewing"] as const;
export const sessionStates = ["idle", ...reportedStates, "done", "failed"] as const;
export type ReportedState = (typeof reportedStates)[number];
export type SessionState = (typeof sessionStates)[number];

export const sessionExits = ["exited", "crashed", "timed_out", "cancelled"] as const;
export type SessionExit = (typeof sessionExits)[number];

/**
 * Why a session was cancelled. `driver`: its driver died or failed, or its host was lost. `budget`: the loop's own budget ended it.
 * `denied`: its client denied what it needed. `tools`: our server never connected. `setup`: the client did not start, refused its
 * command line, has no login or does not know the model. `limit`, `outage`: the model was not to be had, by the client's words;
 * `model`: it gave no answer for another reason. A session that a human or a signal ended has none.
 */
export const cancelCauses = [
  "driver",
  "budget",
  "denied",
  "tools",
  "setup",
  "limit",
  "outage",
  "model",
] as const;
export type CancelCause = (typeof cancelCauses)[number];

export const sessionStarted = defineEvent({
  type: "session.started",
  version: 4,
  description: "An agent's run started: on a task, which is in progress, or without one.",
  payload: z.strictObject({
    session: sessionId,
    /** Absent: it works on none, and settles nothing (docs/decisions/0077-plans.md). */
    task: taskId.optional(),
    /** What a session without a task is for. */
    recipe: structural(z.enum(recipeNames)).optional(),
    /** True if the task was not ready and was started by force. */
    forced: z.boolean(),
    workspace: fingerprint.optional(),
    /**
     * The run of the driver that claims the task and must send heartbeats; absent: no one watches
     * it.
     */
    driver: name.optional(),
    /** Where it runs, and whose drivers' files tell whether its driver lives; absent in what older programs wrote. */
    host: hostId.optional(),
  }),
  stream: sessionStream,
  timeline: ({ session, forced }) => `Session ${session} started${forced ? " by force" : ""}.`,
  example: {
    session: "s-1",
    task: 7,
    forced: false,
    workspace: "a40c1e",
    driver: "d-1",
    host: "5b1c8a52-90d4-8e0f-a6a3-0c6f2f7d9a11",
  },
  upcasters: {
    /** Version 1 had no driver. */
    1: (payload) => payload,
    /** Version 2 did not say on which host. */
    2: (payload) => payload,
    /** Version 3 was always on a task. */
    3: (payload) => payload,
  },
});

/** Free-form context of a state, limited in size. */
export const stateMetadata = z
  .looseObject({
    files: z.array(z.string().max(4_096)).max(1_000).optional(),
    testResults: z
      .strictObject({ passed: z.int().min(0), failed: z.int().min(0), skipped: z.int().min(0).optional() })
      .optional(),
    error: longText.optional(),
  })
  .refine((value) => JSON.stringify(value).length <= 20_000, {
    error: "is longer than 20000 characters as JSON",
  });

export const sessionStateReported = defineEvent({
  type: "session.state_reported",
  version: 1,
  description: "The agent reported its current phase.",
  payload: z.strictObject({
    session: sessionId,
    state: z.enum(reportedStates),
    metadata: stateMetadata.optional(),
  }),
  stream: sessionStream,
  timeline: ({ state }) => `State: ${state}`,
  example: { session: "s-1", state: "testing", metadata: { testResults: { passed: 12, failed: 1 } } },
});

export const sessionEnded = defineEvent({
  type: "session.ended",
  version: 6,
  description: "The agent's run ended; its signals settled its task.",
  payload: z.strictObject({
    session: sessionId,
    /** Of the session; absent in what older programs wrote. */
    task: taskId.optional(),
    exit: z.enum(sessionExits),
    workspace: fingerprint.optional(),
    /** The fingerprint of its files without the state files, as gates have it; absent where `session.work` tells, or nobody looked. */
    files: fingerprint.optional(),
    /** More about the exit: what a crash printed, who cancelled. */
    reason: longText.optional(),
    /** The cause of a cancelled session, unless a human or a signal ended it. */
    cause: structural(z.enum(cancelCauses)).optional(),
    /** It reported learnings, each of which somebody had reported before in the same words. */
    learned_nothing_new: z.literal(true).optional(),
  }),
  stream: sessionStream,
  timeline: ({ session, exit, reason }) =>
    `Session ${session} ${exit.replace("_", " ")}${reason ? `: ${reason}` : "."}`,
  example: { session: "s-1", task: 7, exit: "exited", workspace: "7be093" },
  upcasters: {
    /** Version 1 came from `complete_ralph_session`: it had the outcome that the caller claimed. */
    1: ({ outcome, ...rest }) => ({ ...rest, exit: exitOfOutcome[String(outcome)] ?? "crashed" }),
    /** Version 2 had no cause: it is unknown what cancelled those sessions. */
    2: (payload) => payload,
    /** Version 3 did not name the task. */
    3: (payload) => payload,
    /** Version 4 did not say whether what a session learned was new: it counts as new. */
    4: (payload) => payload,
    /** Version 5 did not have the files for which a pass counts. */
    5: (payload) => payload,
  },
});

const exitOfOutcome: Readonly<Record<string, SessionExit>> = Object.assign(Object.create(null), {
  success: "exited",
  failure: "crashed",
  timeout: "timed_out",
});

const actRefused = defineEvent({
  type: "session.act_refused",
  version: 2,
  description: "A process of the session's agent tried by a command what is a human's or a driver's to do.",
  payload: z.strictObject({
    session: sessionId,
    /** Of the session, if it has one. */
    task: taskId.optional(),
    /** The command's arguments, quoted for a shell; cut off where they are long. */
    command: longText,
  }),
  stream: sessionStream,
  timeline: ({ session, command }) =>
    `The agent of session ${session} was refused a human's act: \`signalbox ${command}\``,
  example: { session: "s-1", task: 7, command: "gate act 7 1 skip" },
  upcasters: {
    /** Version 1 was of a session on a task. */
    1: (payload) => payload,
  },
});

/** Every event of this family, in the order of docs/events.md. */
export const sessionEvents = [
  sessionStarted,
  sessionStateReported,
  sessionWork,
  sessionEnded,
  actRefused,
] as const;
