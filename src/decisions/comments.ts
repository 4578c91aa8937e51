import { AGENT } from "../events/actors.ts";
import type { PayloadOf } from "../events/types/index.ts";
import type { Decision } from "./decide.ts";
import { givenFields } from "./given-fields.ts";
import { Refusal } from "./refusal.ts";
import { requireDiscipline, requireTask, type State } from "./state.ts";

/** A comment that is there, by the task that it is on and its id, the position of its first words. */
interface CommentRef {
  readonly task: number;
  readonly comment: number;
}

/** @throws Refusal `not_found`: the task or the discipline */
export function addComment(input: PayloadOf<"comment.added">): Decision<"comment.added"> {
  return {
    type: "comment.added",
    input,
    plan(state) {
      requireTask(state, input.task);
      if (input.discipline !== undefined) requireDiscipline(state, input.discipline);
      return [{ type: "comment.added", payload: givenFields(input) }];
    },
  };
}

/** Gives a comment other words. @throws Refusal `not_found`, `not_possible` */
export function changeComment(input: CommentRef & { readonly body: string }): Decision<"comment.changed"> {
  return {
    type: "comment.changed",
    input,
    permit: (state, actor) => checkOwnWords(state, input, actor),
    plan(state) {
      requireComment(state, input);
      return [{ type: "comment.changed", payload: input }];
    },
  };
}

/** Takes a comment out of the timeline and of prompts. @throws Refusal `not_found`, `not_possible` */
export function deleteComment(input: CommentRef): Decision<"comment.deleted"> {
  return {
    type: "comment.deleted",
    input,
    permit: (state, actor) => checkOwnWords(state, input, actor),
    plan(state) {
      requireComment(state, input);
      return [{ type: "comment.deleted", payload: input }];
    },
  };
}

/** A comment that is on this task and may change. */
function requireComment(state: State, { task, comment: id }: CommentRef) {
  requireTask(state, task);
  const comment = state.comments.get(id);
  if (!comment) {
    throw new Refusal(
      "not_found",
      `There is no comment ${id}; \`signalbox comment list ${task}\` shows those of task ${task}.`,
    );
  }
  if (comment.task_id !== task) {
    throw new Refusal("not_found", `Comment ${id} is on task ${comment.task_id}, not on task ${task}.`);
  }
  if (isReasonOfSendingBack(state, id)) {
    throw new Refusal(
      "not_possible",
      `Comment ${id} is what task ${task} was sent back with, and stays with that act. Write another comment: \`signalbox comment ${task} TEXT\`.`,
    );
  }
  return comment;
}

/** Those words are also what remains of the task, and its next prompt must say them. */
function isReasonOfSendingBack({ statusChanges }: State, position: number): boolean {
  return statusChanges.where({ position }).some(({ rule }) => rule === "humans: send back");
}

/** A human's words are not an agent's to change; who wrote the present ones answers for them. */
function checkOwnWords(state: State, ref: CommentRef, actor: string): void {
  const comment = requireComment(state, ref);
  if (actor !== AGENT || comment.actor === AGENT) return;
  throw new Refusal(
    "not_possible",
    `The words of comment ${ref.comment} are those of ${comment.author}, and an agent changes or deletes only what agents wrote. Add a comment of your own.`,
  );
}
