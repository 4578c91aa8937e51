import { z } from "zod";
import { defineEvent } from "../event.ts";
import { position, taskId, taskStream, text } from "./fields.ts";

/** A question's id is the position of its `signal.ask`. */
const question = { task: taskId, question: position };

export const questionAnswered = defineEvent({
  type: "question.answered",
  version: 1,
  description: "A human answered an ask; the answer goes into the next prompt.",
  payload: z.strictObject({ ...question, answer: text }),
  stream: taskStream,
  timeline: ({ answer }) => `Answer: ${answer}`,
  example: { task: 7, question: 42, answer: "Sync, with a simple retry." },
});

const questionDismissed = defineEvent({
  type: "question.dismissed",
  version: 1,
  description: "A human dismissed an ask: it needs no answer.",
  payload: z.strictObject(question),
  stream: taskStream,
  timeline: ({ question: id }) => `Question ${id} dismissed`,
  example: { task: 7, question: 42 },
});

const questionReopened = defineEvent({
  type: "question.reopened",
  version: 1,
  description: "A human undid an answer or a dismissal; the question is in its earlier state again.",
  payload: z.strictObject(question),
  stream: taskStream,
  timeline: ({ question: id }) => `Question ${id} is in its earlier state again`,
  example: { task: 7, question: 42 },
});

/** Every event of this family, in the order of docs/events.md. */
export const questionEvents = [questionAnswered, questionDismissed, questionReopened] as const;
