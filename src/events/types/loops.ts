import { z } from "zod";
import { defineEvent } from "../event.ts";
import { hostId, line, longText, name, text } from "./fields.ts";
import { structural } from "./structure.ts";

/** The stream of a driver's run. */
export const loopStream = (payload: { driver: string }): string => `loop-${payload.driver}`;

const loopStarted = defineEvent({
  type: "loop.started",
  version: 2,
  description: "A driver started to take tasks.",
  payload: z.strictObject({
    /** An id of this run of the driver. */
    driver: name,
    /** As the configuration names it. */
    agent: name,
    /** The most sessions that it runs at once. */
    jobs: z.int().min(1).max(100),
    /** Where it runs, and whose files tell whether it lives; absent in what older programs wrote. */
    host: hostId.optional(),
    /** The most that this run may use; absent: no limit, or an older program wrote it. */
    budget: z
      .strictObject({ usd: z.number().positive().optional(), tokens: z.int().positive().optional() })
      .optional(),
  }),
  stream: loopStream,
  timeline: ({ driver, agent, jobs }) => `Driver ${driver} started with agent ${agent}, jobs: ${jobs}.`,
  example: {
    driver: "d-1",
    agent: "claude",
    jobs: 2,
    host: "5b1c8a52-90d4-8e0f-a6a3-0c6f2f7d9a11",
    budget: { usd: 5 },
  },
  upcasters: {
    /** Version 1 told neither host nor budget. */
    1: (payload) => payload,
  },
});

/** What a loop waits for: a usage limit, an outage, or sessions that failed for another reason. */
export const pauses = ["limit", "outage", "unusable"] as const;
export type PauseKind = (typeof pauses)[number];

const loopWaiting = defineEvent({
  type: "loop.waiting",
  version: 1,
  description:
    "A driver pauses before its next session, and why; its next session or its end ends the pause.",
  payload: z.strictObject({
    driver: name,
    why: structural(z.enum(pauses)),
    /** The reason for people: the client's message. */
    reason: longText,
    /** ISO 8601. */
    until: structural(z.iso.datetime()),
  }),
  stream: loopStream,
  timeline: ({ driver, until, reason }) => `Driver ${driver} pauses until ${until}: ${reason}`,
  example: {
    driver: "d-1",
    why: "limit",
    reason: "the agent's model failed: You've hit your limit · resets 3pm",
    until: "2026-01-10T15:00:00.000Z",
  },
});

export const loopEndings = [
  "nothing_ready",
  "once",
  "max_sessions",
  "budget",
  "signal",
  "agent_unusable",
  "setup_failed",
  "error",
] as const;
export type LoopEnding = (typeof loopEndings)[number];

/** Those after which a human has to mend something. */
export const failedEndings: ReadonlySet<string | null> = new Set<LoopEnding>([
  "agent_unusable",
  "setup_failed",
  "error",
]);

const loopStopped = defineEvent({
  type: "loop.stopped",
  version: 2,
  description: "A driver stopped taking tasks, and why.",
  payload: z.strictObject({
    driver: name,
    ending: z.enum(loopEndings),
    /** The reason for people. */
    reason: text,
    /** The number of sessions that it ran. */
    sessions: z.int().min(0),
  }),
  stream: loopStream,
  timeline: ({ driver, reason }) => `Driver ${driver} stopped: ${reason}`,
  example: {
    driver: "d-1",
    ending: "nothing_ready",
    reason: "nothing is ready: task 4 waits for an answer",
    sessions: 12,
  },
  upcasters: {
    /** Version 1 had no `setup_failed`. */
    1: (payload) => payload,
  },
});

export const loopStopAsked = defineEvent({
  type: "loop.stop_asked",
  version: 1,
  description:
    "Someone asked a driver to stop: it starts no session any more, and ends after those that run.",
  payload: z.strictObject({
    driver: name,
    /** Why, for people. */
    reason: line.optional(),
  }),
  stream: loopStream,
  timeline: ({ driver, reason }) =>
    `Driver ${driver} was asked to stop${reason === undefined ? "." : `: ${reason}`}`,
  example: { driver: "d-1", reason: "A release is being made." },
});

/** Every event of this family, in the order of docs/events.md. */
export const loopEvents = [loopStarted, loopWaiting, loopStopAsked, loopStopped] as const;
