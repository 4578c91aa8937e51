import { z } from "zod";
import { defineEvent } from "../event.ts";
import { gateNumber, taskId, taskStream, text } from "./fields.ts";
import { REDACTED, redactedAs } from "./structure.ts";

/** Defaults and limits of a verify gate (docs/rules.md, Verify gates). */
export const GATE_MAX_DEFAULT = 5;
export const GATE_TIMEOUT_DEFAULT_S = 300;
export const GATE_MAX_LIMIT = 1_000;
export const GATE_TIMEOUT_LIMIT_S = 600;
/** The longest command, in UTF-16 units. */
export const GATE_COMMAND_LIMIT = 10_000;

export const gateDeclaration = z.strictObject({
  /** A gate whose command is gone fails: it cannot be shown to pass. */
  command: redactedAs(`false # ${REDACTED}`, text.max(GATE_COMMAND_LIMIT)),
  /** The number of failed attempts after which a human is asked. */
  max: z.int().min(1).max(GATE_MAX_LIMIT),
  timeout_s: z.int().min(1).max(GATE_TIMEOUT_LIMIT_S),
});
export type GateDeclaration = z.infer<typeof gateDeclaration>;

const ofGate = { task: taskId, gate: gateNumber };

const gateDeclared = defineEvent({
  type: "gate.declared",
  version: 1,
  description:
    "A gate was added to an existing task. A gate that an agent declares waits for a human's " + "approval.",
  payload: z.strictObject({ ...ofGate, ...gateDeclaration.shape }),
  stream: taskStream,
  timeline: ({ gate, command }) => `Gate ${gate} declared: ${command}`,
  example: { task: 7, gate: 2, command: "npm run lint", max: 5, timeout_s: 300 },
});

const gateApproved = defineEvent({
  type: "gate.approved",
  version: 1,
  description: "A human approved a gate that an agent had declared: its command may run.",
  payload: z.strictObject(ofGate),
  stream: taskStream,
  timeline: ({ gate }) => `Gate ${gate} approved`,
  example: { task: 7, gate: 2 },
});

const gateRejected = defineEvent({
  type: "gate.rejected",
  version: 1,
  description: "A human rejected a gate that an agent had declared: it is skipped and never runs.",
  payload: z.strictObject(ofGate),
  stream: taskStream,
  timeline: ({ gate }) => `Gate ${gate} rejected`,
  example: { task: 7, gate: 2 },
});

export const gateReopened = defineEvent({
  type: "gate.reopened",
  version: 1,
  description: "A human undid the approval or rejection of a gate.",
  payload: z.strictObject(ofGate),
  stream: taskStream,
  timeline: ({ gate }) => `Gate ${gate} is waiting for approval again`,
  example: { task: 7, gate: 2 },
});

export const gateActions = ["retry", "skip", "abort"] as const;
export type GateAction = (typeof gateActions)[number];

export const gateActed = defineEvent({
  type: "gate.acted",
  version: 1,
  description: "A human decided on an escalated gate.",
  payload: z.strictObject({ ...ofGate, action: z.enum(gateActions) }),
  stream: taskStream,
  timeline: ({ gate, action }) => `Gate ${gate}: ${action}`,
  example: { task: 7, gate: 1, action: "skip" },
});

/** Every event of this family, in the order of docs/events.md. */
export const gateEvents = [gateDeclared, gateApproved, gateRejected, gateReopened] as const;
