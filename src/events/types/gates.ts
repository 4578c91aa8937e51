import { z } from "zod";
import { defineEvent } from "../event.ts";
import { gateNumber, longText, sessionId, taskId, taskStream, text } from "./fields.ts";

/** Defaults and limits of a verify gate (rules.md, Verify gates; seed 004). */
export const GATE_MAX_DEFAULT = 5;
export const GATE_TIMEOUT_DEFAULT_S = 300;
export const GATE_MAX_LIMIT = 1_000;
export const GATE_TIMEOUT_LIMIT_S = 600;
/** The longest command, in UTF-16 units. */
export const GATE_COMMAND_LIMIT = 10_000;

export const gateDeclaration = z.strictObject({
  command: text.max(GATE_COMMAND_LIMIT),
  /** Failed attempts until a human is asked. */
  max: z.int().min(1).max(GATE_MAX_LIMIT),
  timeout_s: z.int().min(1).max(GATE_TIMEOUT_LIMIT_S),
});
export type GateDeclaration = z.infer<typeof gateDeclaration>;

export const gateAttempted = defineEvent({
  type: "gate.attempted",
  version: 1,
  description: "A gate's command was run.",
  payload: z.strictObject({
    task: taskId,
    gate: gateNumber,
    session: sessionId.optional(),
    exit_code: z.int().min(0).max(255),
    timed_out: z.boolean(),
    duration_ms: z.int().min(0),
    /** What the command printed, shortened by whoever ran it. */
    stdout: longText,
    stderr: longText,
  }),
  stream: taskStream,
  timeline: ({ gate, exit_code, timed_out }) =>
    `Gate ${gate}: ${timed_out ? "timed out" : exit_code === 0 ? "passed" : `failed with exit code ${exit_code}`}`,
  example: {
    task: 7,
    gate: 1,
    session: "s-1",
    exit_code: 1,
    timed_out: false,
    duration_ms: 2_300,
    stdout: "1 failing",
    stderr: "",
  },
});

export const gateActions = ["retry", "skip", "abort"] as const;
export type GateAction = (typeof gateActions)[number];

export const gateActed = defineEvent({
  type: "gate.acted",
  version: 1,
  description: "A human decided what becomes of an escalated gate.",
  payload: z.strictObject({ task: taskId, gate: gateNumber, action: z.enum(gateActions) }),
  stream: taskStream,
  timeline: ({ gate, action }) => `Gate ${gate}: ${action}`,
  example: { task: 7, gate: 1, action: "skip" },
});
