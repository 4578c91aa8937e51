import type { Decision } from "./decide.ts";
import { Refusal } from "./refusal.ts";
import { requireTask } from "./state.ts";

/**
 * Gives a draft or a pending task pseudocode. A draft is pending then, but for one that an agent proposed: a human
 * decides on that (rules.md, What an agent may do to a status).
 *
 * @param input criteria and files replace what was there
 * @throws Refusal `not_found`; `not_possible`: work on it has begun, or is over
 */
export function enrichTask(input: {
  readonly task: number;
  readonly pseudocode: string;
  readonly criteria?: readonly string[] | undefined;
  readonly context_files?: readonly string[] | undefined;
}): Decision<"task.enriched"> {
  const { task: id, pseudocode, criteria, context_files } = input;
  return {
    type: "task.enriched",
    input,
    plan(state) {
      const { status } = requireTask(state, id);
      if (status !== "draft" && status !== "pending") {
        throw new Refusal(
          "not_possible",
          `Task ${id} is ${status}, and only a draft or a pending task is enriched. ` +
            `Its other fields can still be changed: update_task, \`signalbox task set ${id}\`.`,
        );
      }
      const payload = {
        task: id,
        pseudocode,
        ...(criteria && { criteria: [...criteria] }),
        ...(context_files && { context_files: [...context_files] }),
      };
      return [{ type: "task.enriched", payload }];
    },
  };
}
