import { z } from "zod";
import { defineEvent } from "../event.ts";
import { name, text } from "./fields.ts";

const loopStream = (payload: { driver: string }): string => `loop-${payload.driver}`;

export const loopStarted = defineEvent({
  type: "loop.started",
  version: 1,
  description: "A driver began to take tasks.",
  payload: z.strictObject({
    /** Of this run of the driver alone. */
    driver: name,
    /** As the configuration names it. */
    agent: name,
    /** How many sessions it runs at the same time, at most. */
    jobs: z.int().min(1).max(100),
  }),
  stream: loopStream,
  timeline: ({ driver, agent, jobs }) => `Driver ${driver} began with agent ${agent}, jobs: ${jobs}.`,
  example: { driver: "d-1", agent: "claude", jobs: 2 },
});

export const loopEndings = [
  "nothing_ready",
  "once",
  "max_sessions",
  "budget",
  "signal",
  "agent_unusable",
  "error",
] as const;
export type LoopEnding = (typeof loopEndings)[number];

export const loopStopped = defineEvent({
  type: "loop.stopped",
  version: 1,
  description: "A driver stopped taking tasks, and why.",
  payload: z.strictObject({
    driver: name,
    ending: z.enum(loopEndings),
    /** The same for people. */
    reason: text,
    /** How many sessions it ran. */
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
});
