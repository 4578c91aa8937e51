import { z } from "zod";
import { defineEvent } from "../event.ts";
import { line, longText, position, taskId, taskStream } from "./fields.ts";

/** Its position is the id of the suggestion, which is decided on like a task that an agent proposed. */
const editSuggested = defineEvent({
  type: "task.edit_suggested",
  version: 1,
  description:
    "Somebody who is none of the project's people edited the issue of a task. The new words wait for a human.",
  payload: z.strictObject({ task: taskId, title: line, description: longText }),
  stream: taskStream,
  timeline: ({ title }) => `An edit of the issue waits: ${title}`,
  example: { task: 7, title: "Export as CSV", description: "Commas." },
});

/**
 * A suggestion's id is the position of its `signal.suggest`; `task` is the draft created from it, or the task of the edit.
 */
const suggestion = { task: taskId, suggestion: position };

const suggestionApproved = defineEvent({
  type: "suggestion.approved",
  version: 1,
  description:
    "A human approved a task that an agent proposed, whose draft is pending; or an edit, which changes its task.",
  payload: z.strictObject(suggestion),
  stream: taskStream,
  timeline: ({ suggestion: id }) => `Suggestion ${id} approved`,
  example: { task: 8, suggestion: 44 },
});

const suggestionRejected = defineEvent({
  type: "suggestion.rejected",
  version: 1,
  description:
    "A task that an agent proposed was rejected, and its draft is skipped; or an edit, which changes nothing.",
  payload: z.strictObject(suggestion),
  stream: taskStream,
  timeline: ({ suggestion: id }) => `Suggestion ${id} rejected`,
  example: { task: 8, suggestion: 44 },
});

const suggestionReopened = defineEvent({
  type: "suggestion.reopened",
  version: 1,
  description: "A human undid an approval or a rejection; the task is a draft again.",
  payload: z.strictObject(suggestion),
  stream: taskStream,
  timeline: ({ suggestion: id }) => `Suggestion ${id} is undecided again`,
  example: { task: 8, suggestion: 44 },
});

/** Every event of this family, in the order of docs/events.md. */
export const suggestionEvents = [
  editSuggested,
  suggestionApproved,
  suggestionRejected,
  suggestionReopened,
] as const;
