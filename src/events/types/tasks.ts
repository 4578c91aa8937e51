import { z } from "zod";
import { defineEvent } from "../event.ts";
import { filePaths, line, longText, name, priority, taskId, taskStatus, taskStream, text } from "./fields.ts";
import { gateDeclaration } from "./gates.ts";

const dependsOn = z
  .array(taskId)
  .max(1_000)
  .describe("The ids of the tasks that must be done or skipped first.");

/** What must be true of the work, for the agent to read; nothing runs it. */
const criteria = z.array(text.max(2_000)).max(100);

export const taskCreated = defineEvent({
  type: "task.created",
  version: 2,
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
    /** `human`: a verified done waits until a human accepts it (rules.md, Humans). */
    accept: z.enum(["auto", "human"]),
    gates: z.array(gateDeclaration).max(100),
    /** Text for the agent, beside the gates (rules.md, Verify gates). */
    criteria: criteria.optional(),
    context_files: filePaths.optional(),
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
  },
  upcasters: {
    /** Version 1 knew neither criteria nor context files. */
    1: (payload) => payload,
  },
});

export const taskChanged = defineEvent({
  type: "task.changed",
  version: 2,
  description: "Fields of a task were changed; what is absent stayed as it was.",
  payload: z.strictObject({
    task: taskId,
    title: line.optional(),
    description: longText.optional(),
    feature: name.optional(),
    discipline: name.optional(),
    priority: priority.optional(),
    depends_on: dependsOn.optional(),
    accept: z.enum(["auto", "human"]).optional(),
    criteria: criteria.optional(),
    context_files: filePaths.optional(),
  }),
  stream: taskStream,
  timeline: ({ task: _task, ...fields }) => `Changed: ${Object.keys(fields).join(", ")}`,
  example: { task: 7, priority: "critical" },
  upcasters: { 1: (payload) => payload },
});

export const taskStatusSet = defineEvent({
  type: "task.status_set",
  version: 1,
  description: "A human set a task's status by hand.",
  payload: z.strictObject({ task: taskId, status: taskStatus }),
  stream: taskStream,
  timeline: ({ status }) => `Status set to ${status}`,
  example: { task: 7, status: "pending" },
});

export const taskAccepted = defineEvent({
  type: "task.accepted",
  version: 1,
  description: "A human accepted a verified done; the task is done.",
  payload: z.strictObject({ task: taskId }),
  stream: taskStream,
  timeline: () => "Accepted",
  example: { task: 7 },
});

export const taskSentBack = defineEvent({
  type: "task.sent_back",
  version: 1,
  description: "A human did not accept a verified done; the task is pending again, with a comment.",
  payload: z.strictObject({ task: taskId, comment: text }),
  stream: taskStream,
  timeline: ({ comment }) => `Sent back: ${comment}`,
  example: { task: 7, comment: "The header row is missing." },
});
