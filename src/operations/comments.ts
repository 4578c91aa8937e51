import { z } from "zod";
import { givenFields } from "../decisions/given-fields.ts";
import { Refusal } from "../decisions/refusal.ts";
import { noSuchTask, requireDiscipline, requireTask, type State, stateOf } from "../decisions/state.ts";
import { AGENT } from "../events/actors.ts";
import { commentAdded, commentChanged, commentDeleted } from "../events/types/comments.ts";
import { position, taskId } from "../events/types/fields.ts";
import { quoteLine, tableLines } from "../lib/terminal/output.ts";
import { listComments as commentsOn } from "../queries/comments.ts";
import { defineGroup } from "./group.ts";
import { defineOperation } from "./operation.ts";
import { defineReading } from "./reading.ts";

const TASK = ["<task>", "the task's id"] as const;
const COMMENT = ["<comment>", "the comment's id; `comment list` shows it"] as const;
const BODY = ["<text>", "markdown"] as const;
const ofTask = { field: "task_id", of: "task" } as const;
const { task: task_id, author, body, discipline, priority } = commentAdded.payload.shape;

/** @throws Refusal `not_found`: the task or the discipline */
export const addComment = defineOperation({
  type: "comment.added",
  input: commentAdded.payload,
  plan(input, state) {
    requireTask(state, input.task);
    if (input.discipline !== undefined) requireDiscipline(state, input.discipline);
    return [{ type: "comment.added", payload: givenFields(input) }];
  },
  answer: ({ input: { task, author, ...comment }, event }) => ({
    id: event.position,
    task,
    author,
    ...comment,
  }),
  command: {
    name: "add",
    isDefault: true,
    does: "comment on a task (`add` is optional)",
    takes: {
      task: TASK,
      body: BODY,
      author: ["--author <name>", "the comment's author", { absent: "human" }],
      discipline: ["--discipline <name>", "the discipline it is for"],
      priority: ["--priority <priority>", "how urgent it is"],
    },
    example: "7 'Also test unicode URLs please.'",
    says: ({ id, task }) => `Commented on task ${task}: comment ${id}.`,
  },
  tool: {
    name: "add_task_comment",
    title: "Comment on a task",
    description:
      "Comment on a task. The comment appears in its timeline and, quoted as an agent's words, in its " +
      "next prompt.",
    takes: z.strictObject({
      task_id,
      author: author.describe("The name you sign with."),
      body,
      discipline,
      priority,
    }),
    input: ({ task_id: task, ...comment }) => ({ task, ...comment }),
    gives: z.strictObject({ comment_id: position }),
    answer: ({ event }) => ({ comment_id: event.position }),
    effect: "creating",
    example: { task_id: 7, author: "backend", body: "The parser is shared with task 9." },
    target: ofTask,
  },
  page: {
    name: "comment",
    takes: commentAdded.payload.pick({ task: true, body: true }),
    input: (given, actor) => ({ ...given, author: actor }),
  },
});

const listComments = defineReading({
  input: z.strictObject({ task: taskId }),
  ask(readModel, { task }) {
    const state = stateOf(readModel);
    if (!state.tasks.get(task)) throw noSuchTask(state, task);
    return commentsOn(readModel, task);
  },
  command: {
    name: "list",
    does: "list the comments on a task, as last edited",
    takes: { task: TASK },
    example: "7 --json",
    says: (comments) =>
      tableLines(
        ["comment", "author", "by", "priority", "text"],
        comments.map(({ id, author, actor, priority, body }) => [
          id,
          quoteLine(author, 20),
          quoteLine(actor, 12),
          priority,
          quoteLine(body),
        ]),
      ),
  },
});

/** Edits a comment. @throws Refusal `not_found`, `not_possible` */
export const changeComment = defineOperation({
  type: "comment.changed",
  input: commentChanged.payload,
  permit: checkOwnWords,
  plan(input, state) {
    requireComment(state, input);
    return [{ type: "comment.changed", payload: input }];
  },
  answer: ({ input, readModel }) => commentsOn(readModel, input.task).find(({ id }) => id === input.comment),
  command: {
    name: "edit",
    does: "change a comment's text",
    takes: { task: TASK, comment: COMMENT, body: BODY },
    example: "7 31 'Also test IDN URLs please.'",
    says: (_, { task, comment }) => `Changed comment ${comment} on task ${task}.`,
  },
  tool: {
    name: "update_task_comment",
    title: "Change a comment",
    description: "Change a comment's text. Fails if a human wrote it.",
    takes: z.strictObject({ task_id, comment_id: position, body: commentChanged.payload.shape.body }),
    input: ({ task_id: task, comment_id: comment, body }) => ({ task, comment, body }),
    gives: z.strictObject({ comment_id: position, body: z.string() }),
    answer: ({ input: { comment: comment_id, body } }) => ({ comment_id, body }),
    effect: "changing",
    example: { task_id: 7, comment_id: 31, body: "The parser is shared with tasks 9 and 12." },
    target: ofTask,
  },
});

/**
 * Removes a comment from the timeline and from prompts. @throws Refusal `not_found`, `not_possible`
 */
export const deleteComment = defineOperation({
  type: "comment.deleted",
  input: commentDeleted.payload,
  permit: checkOwnWords,
  plan(input, state) {
    requireComment(state, input);
    return [{ type: "comment.deleted", payload: input }];
  },
  answer: ({ input: { comment: deleted, task } }) => ({ deleted, task }),
  command: {
    name: "delete",
    does: "delete a comment from the timeline and from prompts; the log keeps it",
    takes: { task: TASK, comment: COMMENT },
    example: "7 31",
    says: ({ deleted, task }) => `Deleted comment ${deleted} on task ${task}.`,
  },
  tool: {
    name: "delete_task_comment",
    title: "Delete a comment",
    description: "Delete a comment from the timeline and from prompts. Fails if a human wrote it.",
    takes: z.strictObject({ task_id, comment_id: position }),
    input: ({ task_id: task, comment_id: comment }) => ({ task, comment }),
    gives: z.strictObject({ deleted: position }),
    answer: ({ input }) => ({ deleted: input.comment }),
    effect: "deleting",
    example: { task_id: 7, comment_id: 31 },
    target: ofTask,
  },
});

/** An existing comment, by its task and its id, the position of its first version. */
interface CommentRef {
  readonly task: number;
  readonly comment: number;
}

/** A comment on this task that may be changed. */
function requireComment(state: State, { task, comment: id }: CommentRef) {
  requireTask(state, task);
  const comment = state.comments.get(id);
  if (!comment) {
    throw new Refusal(
      "not_found",
      `There is no comment ${id}. Run \`signalbox comment list ${task}\` to see the comments on task ` +
        `${task}.`,
    );
  }
  if (comment.task_id !== task) {
    throw new Refusal("not_found", `Comment ${id} is on task ${comment.task_id}, not on task ${task}.`);
  }
  if (isReasonOfSendingBack(state, id)) {
    throw new Refusal(
      "not_possible",
      `Comment ${id} says why task ${task} was sent back, so it cannot be changed. Add another one: ` +
        `\`signalbox comment ${task} TEXT\`.`,
    );
  }
  return comment;
}

/** A returned task's comment is also its remaining work, which the next prompt must contain. */
function isReasonOfSendingBack({ statusChanges }: State, position: number): boolean {
  return statusChanges.where({ position }).some(({ rule }) => rule === "humans: send back");
}

/** An agent cannot change a human's words; the last editor is the author. */
function checkOwnWords(ref: CommentRef, state: State, actor: string): void {
  const comment = requireComment(state, ref);
  if (actor !== AGENT || comment.actor === AGENT) return;
  throw new Refusal(
    "not_possible",
    `Comment ${ref.comment} was written by ${comment.author}. An agent can change or delete only ` +
      "the comments of agents: add one of your own.",
  );
}

/**
 * `comment TASK TEXT` adds one: the group's default command has arguments, and no command's name is
 * a number.
 */
export const comments = defineGroup({
  name: "comment",
  does: "comments on tasks, shown in the timeline and in the next prompt",
  example: "7 'Also test unicode URLs please.'",
  has: [addComment, listComments, changeComment, deleteComment],
});
