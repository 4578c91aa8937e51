import { z } from "zod";
import { defineEvent } from "../event.ts";
import { name, position, projectStream, taskId, text } from "./fields.ts";
import { learningKinds, learningMarks } from "./learning-words.ts";

/** Who found it out (the tool `append_feature_learning`). */
export const learningOrigins = ["auto", "agent", "human"] as const;

export const learningAdded = defineEvent({
  type: "learning.added",
  version: 1,
  description: "A learning about a feature or the project was added by other means than the verb learned.",
  payload: z.strictObject({
    /** Absent: it applies to the whole project. */
    feature: name.optional(),
    text: text.max(10_000),
    kind: z.enum(learningKinds),
    source: z.enum(learningOrigins),
    reason: text.max(10_000).optional(),
    /** The task during which it was found. */
    task: taskId.optional(),
  }),
  stream: (payload) => (payload.feature === undefined ? projectStream() : `feature-${payload.feature}`),
  timeline: ({ text: said }) => `Learned: ${said}`,
  example: { feature: "reports", text: "Orders come sorted by date.", kind: "discovery", source: "human" },
});

export { learningMarks };

export const learningMarked = defineEvent({
  type: "learning.marked",
  version: 1,
  description:
    "A human pinned a learning, which then comes first in prompts in its scope; retired it, which " +
    "then leaves prompts; or undid either (`none`).",
  payload: z.strictObject({
    /** The learning, by the position of its first report. */
    learning: position,
    mark: z.enum(learningMarks),
    reason: text.max(10_000).optional(),
  }),
  stream: learningStream,
  timeline: ({ learning, mark, reason }) =>
    `Learning ${learning} ${mark === "none" ? "neither pinned nor retired" : mark}${reason === undefined ? "" : `: ${reason}`}`,
  example: { learning: 41, mark: "retired", reason: "The limit was lifted." },
});

export const learningSplit = defineEvent({
  type: "learning.split",
  version: 1,
  description: "A source that was joined with a learning is from now on an entry of its own.",
  payload: z.strictObject({
    learning: position,
    /** The wrongly merged report, by its position. */
    source: position,
  }),
  stream: learningStream,
  timeline: ({ learning, source }) => `The source at ${source} is no longer part of learning ${learning}`,
  example: { learning: 41, source: 96 },
});

/** The stream of human decisions about a learning. */
export function learningStream({ learning }: { learning: number }): string {
  return `learning-${learning}`;
}

/** Every event of this family, in the order of docs/events.md. */
export const learningEvents = [learningAdded, learningMarked, learningSplit] as const;
