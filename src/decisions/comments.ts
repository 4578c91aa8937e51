import type { Decision } from "./decide.ts";
import { requireTask } from "./state.ts";

/** @throws Refusal `not_found` */
export function addComment(input: { task: number; author: string; body: string }): Decision<"comment.added"> {
  return {
    type: "comment.added",
    input,
    plan(state) {
      requireTask(state, input.task);
      return [{ type: "comment.added", payload: input }];
    },
  };
}
