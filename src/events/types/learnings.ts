import { z } from "zod";
import { defineEvent } from "../event.ts";
import { name, projectStream, taskId, text } from "./fields.ts";
import { learningKinds } from "./signals.ts";

/** Who found it out (seed 001, append_feature_learning). */
export const learningOrigins = ["auto", "agent", "human"] as const;

export const learningAdded = defineEvent({
  type: "learning.added",
  version: 1,
  description:
    "Something was learned about a feature or the project, told by other means than the verb learned.",
  payload: z.strictObject({
    /** Absent: it concerns the whole project. */
    feature: name.optional(),
    text: text.max(10_000),
    kind: z.enum(learningKinds),
    source: z.enum(learningOrigins),
    reason: text.max(10_000).optional(),
    /** The task in whose course it was found. */
    task: taskId.optional(),
  }),
  stream: (payload) => (payload.feature === undefined ? projectStream() : `feature-${payload.feature}`),
  timeline: ({ text: said }) => `Learned: ${said}`,
  example: { feature: "reports", text: "Orders come sorted by date.", kind: "discovery", source: "human" },
});
