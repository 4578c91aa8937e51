import { z } from "zod";
import { defineEvent } from "../event.ts";
import {
  filePaths,
  GATES_LIMIT,
  line,
  longText,
  name,
  priority,
  taskId,
  taskStatus,
  taskStream,
  text,
} from "./fields.ts";
import { gateDeclaration } from "./gates.ts";
import { planId } from "./plans.ts";
import { findingKinds } from "./session-work.ts";
import { structural } from "./structure.ts";
import { kindsInWords } from "./work-words.ts";

const dependsOn = z
  .array(taskId)
  .max(1_000)
  .describe("The ids of the tasks that must be done or skipped first.");

/** The most criteria of a task, and the longest one, in UTF-16 units. */
export const CRITERIA_LIMIT = 100;
export const CRITERION_LIMIT = 2_000;

/** A condition on the work, for the agent to read; nothing checks it automatically. */
const criteria = z.array(text.max(CRITERION_LIMIT)).max(CRITERIA_LIMIT);

/** Optional fields of a task, for readers only. */
const planFields = {
  /** Text for the agent, beside the gates (docs/rules.md, Verify gates). */
  criteria: criteria.optional(),
  context_files: filePaths.optional(),
  tags: z.array(name).max(100).optional(),
  /** Files to create or change. */
  output_artifacts: filePaths.optional(),
  /** Hints for the agent. */
  hints: longText.optional(),
  /** The most turns of an agent. */
  estimated_turns: z.int().min(1).max(100_000).optional(),
};

export const taskCreated = defineEvent({
  type: "task.created",
  version: 4,
  description: "A task was added to the board, with its gates.",
  payload: z.strictObject({
    task: taskId,
    title: line,
    description: longText,
    feature: name,
    discipline: name,
    priority: priority,
    status: taskStatus,
    depends_on: dependsOn,
    /** `human`: a verified done waits until a human accepts it (docs/rules.md, Humans). */
    accept: z.enum(["auto", "human"]),
    gates: z.array(gateDeclaration).max(GATES_LIMIT),
    ...planFields,
    /** The plan that proposes it; absent: nobody has to approve it. */
    plan: planId.optional(),
  }),
  stream: taskStream,
  timeline: ({ title }) => `Created: ${title}`,
  example: {
    task: 7,
    title: "Export as CSV",
    description: "Semicolons, UTF-8.",
    feature: "reports",
    discipline: "backend",
    priority: "high",
    status: "pending",
    depends_on: [3],
    accept: "auto",
    gates: [{ command: "npm test", max: 5, timeout_s: 300 }],
    criteria: ["An empty order gives a header row alone."],
    context_files: ["src/orders.ts"],
    tags: ["export"],
    output_artifacts: ["src/export/csv.ts"],
    hints: "The orders come sorted.",
    estimated_turns: 20,
  },
  upcasters: {
    /**
     * Version 1 had neither criteria nor context files, version 2 none of the other plan fields,
     * version 3 no plan.
     */
    1: (payload) => payload,
    2: (payload) => payload,
    3: (payload) => payload,
  },
});

export const taskChanged = defineEvent({
  type: "task.changed",
  version: 3,
  description: "Fields of a task were changed; absent fields stayed the same.",
  payload: z.strictObject({
    task: taskId,
    title: line.optional(),
    description: longText.optional(),
    feature: name.optional(),
    discipline: name.optional(),
    priority: priority.optional(),
    depends_on: dependsOn.optional(),
    accept: z.enum(["auto", "human"]).optional(),
    ...planFields,
  }),
  stream: taskStream,
  timeline: ({ task: _task, ...fields }) => `Changed: ${Object.keys(fields).join(", ")}`,
  example: { task: 7, priority: "critical" },
  upcasters: { 1: (payload) => payload, 2: (payload) => payload },
});

export const taskEnriched = defineEvent({
  type: "task.enriched",
  version: 1,
  description:
    "Pseudocode was added to a task. A draft becomes pending, unless an agent proposed it and no " +
    "human has decided on it.",
  payload: z.strictObject({
    task: taskId,
    pseudocode: text,
    /** These replace the earlier values. */
    criteria: criteria.optional(),
    context_files: filePaths.optional(),
  }),
  stream: taskStream,
  timeline: () => "Enriched with pseudocode",
  example: { task: 7, pseudocode: "for each order: write a line" },
});

export const taskDeleted = defineEvent({
  type: "task.deleted",
  version: 1,
  description: "A task was deleted; its history stays, its id is never reused.",
  payload: z.strictObject({ task: taskId }),
  stream: taskStream,
  timeline: () => "Deleted",
  example: { task: 7 },
});

export const taskStatusSet = defineEvent({
  type: "task.status_set",
  version: 1,
  description: "A task's status was set by hand: by a human, or by an agent within its rights.",
  payload: z.strictObject({ task: taskId, status: taskStatus }),
  stream: taskStream,
  timeline: ({ status }) => `Status set to ${status}`,
  example: { task: 7, status: "pending" },
});

export const taskAccepted = defineEvent({
  type: "task.accepted",
  version: 2,
  description: "A human accepted a verified done; the task is done.",
  payload: z.strictObject({
    task: taskId,
    /** Of what was found in the workspace, as the human has seen it; absent where nothing was. */
    findings: z
      .array(structural(z.enum(findingKinds)))
      .min(1)
      .optional(),
  }),
  stream: taskStream,
  timeline: ({ findings = [] }) =>
    `Accepted${findings.length === 0 ? "" : `, with ${kindsInWords(findings)}`}`,
  example: { task: 7, findings: ["no_change"] },
  upcasters: {
    /** Version 1 had no findings. */
    1: (payload) => payload,
  },
});

export const taskSentBack = defineEvent({
  type: "task.sent_back",
  version: 1,
  description: "A human sent a verified done back; the task is pending again, with a comment.",
  payload: z.strictObject({ task: taskId, comment: text }),
  stream: taskStream,
  timeline: ({ comment }) => `Sent back: ${comment}`,
  example: { task: 7, comment: "The header row is missing." },
});

export const taskContinued = defineEvent({
  type: "task.continued",
  version: 1,
  description: "A human let a task go on whose sessions did not get on, with a hint or without one.",
  payload: z.strictObject({ task: taskId, hint: text.optional() }),
  stream: taskStream,
  timeline: ({ hint }) => (hint === undefined ? "Goes on" : `Goes on: ${hint}`),
  example: { task: 7, hint: "The header row comes from the first order." },
});

/** Every event of this family, in the order of docs/events.md. */
export const taskEvents = [
  taskCreated,
  taskChanged,
  taskEnriched,
  taskStatusSet,
  taskAccepted,
  taskSentBack,
  taskContinued,
  taskDeleted,
] as const;
