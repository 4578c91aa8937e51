import { z } from "zod";
import { defineEvent } from "../event.ts";
import { line, longText, name, sessionId, taskId } from "./fields.ts";
import { structural } from "./structure.ts";

/** Plans count up from 1. */
export const planId = z.int().min(1).max(1_000_000_000);

/** What a plan is called: by people, and in the log. */
export const planName = (plan: number): string => `plan-${plan}`;

const planStream = ({ plan }: { plan: number }): string => planName(plan);

/** The most tasks of a plan. */
export const PLAN_LIMIT = 1_000;

const planBegun = defineEvent({
  type: "plan.begun",
  version: 1,
  description: "A human began a plan with a text; its session proposes tasks.",
  payload: z.strictObject({
    plan: planId,
    session: sessionId,
    /** What the human wrote; empty where the session is about what the board has. */
    text: longText,
    /** Whose tasks it makes. */
    feature: name.optional(),
    /** Another plan of the same, whose drafts that are not approved it replaces. */
    again: planId.optional(),
  }),
  stream: planStream,
  timeline: ({ plan, session }) => `Plan ${plan} begun in session ${session}`,
  example: {
    plan: 1,
    session: "s-1",
    text: "# Reports\n\nExport them as CSV and as PDF.",
    feature: "reports",
  },
});

const planConfirmed = defineEvent({
  type: "plan.confirmed",
  version: 1,
  description: "A plan proposed again, in the same words, what is a draft already.",
  payload: z.strictObject({ plan: planId, task: taskId }),
  stream: planStream,
  timeline: ({ plan, task }) => `Plan ${plan} proposed task ${task} again`,
  example: { plan: 2, task: 7 },
});

/** What the critic says of a plan; nothing follows from it. */
export const planFaults = ["no_check", "missing_file", "bad_command", "same_file", "too_large"] as const;

const planChecked = defineEvent({
  type: "plan.checked",
  version: 1,
  description: "What is wrong with a plan, as far as a program can tell. It decides nothing.",
  payload: z.strictObject({
    plan: planId,
    faults: z
      .array(z.strictObject({ kind: structural(z.enum(planFaults)), task: taskId.optional(), says: line }))
      .max(PLAN_LIMIT),
    /** How many more there are. */
    more: z.int().min(0),
  }),
  stream: planStream,
  timeline: ({ plan, faults }) =>
    `Plan ${plan} checked: ${faults.length === 0 ? "nothing found" : faults.map(({ says }) => says).join(" ")}`,
  example: {
    plan: 1,
    faults: [{ kind: "no_check", task: 7, says: "Task 7 has neither a gate nor a criterion." }],
    more: 0,
  },
});

const decided = { plan: planId, tasks: z.array(taskId).min(1).max(PLAN_LIMIT) };

const planApproved = defineEvent({
  type: "plan.approved",
  version: 1,
  description: "A human approved tasks of a plan: they are pending.",
  payload: z.strictObject(decided),
  stream: planStream,
  timeline: ({ plan, tasks }) => `Plan ${plan}: approved ${listed(tasks)}`,
  example: { plan: 1, tasks: [7, 8] },
});

const planRejected = defineEvent({
  type: "plan.rejected",
  version: 1,
  description: "A human rejected tasks of a plan: they are skipped.",
  payload: z.strictObject(decided),
  stream: planStream,
  timeline: ({ plan, tasks }) => `Plan ${plan}: rejected ${listed(tasks)}`,
  example: { plan: 1, tasks: [9] },
});

const planReopened = defineEvent({
  type: "plan.reopened",
  version: 1,
  description: "A human undid an approval or a rejection of tasks of a plan: they are drafts again.",
  payload: z.strictObject(decided),
  stream: planStream,
  timeline: ({ plan, tasks }) => `Plan ${plan}: undecided again: ${listed(tasks)}`,
  example: { plan: 1, tasks: [7, 8] },
});

const listed = (tasks: readonly number[]): string => tasks.map((task) => `task ${task}`).join(", ");

/** Every event of this family, in the order of docs/events.md. */
export const planEvents = [
  planBegun,
  planConfirmed,
  planChecked,
  planApproved,
  planRejected,
  planReopened,
] as const;
