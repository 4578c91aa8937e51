import type { PayloadOf } from "../events/types/index.ts";
import type { Decision } from "./decide.ts";
import { Refusal } from "./refusal.ts";
import { requireTask } from "./state.ts";

type Input = PayloadOf<"learning.added">;

/**
 * Something was learned that no verb of a session told. The same words once more are joined with what is there
 * (src/projections/learnings.ts).
 *
 * @param input without a feature it concerns the whole project; `kind` absent: a discovery
 * @throws Refusal `not_found`: the feature or the task
 */
export function addLearning({
  kind = "discovery",
  ...rest
}: Omit<Input, "kind"> & { readonly kind?: Input["kind"] | undefined }): Decision<"learning.added"> {
  const input = { ...rest, kind };
  return {
    type: "learning.added",
    input,
    plan(state) {
      if (input.feature !== undefined && !state.features.get(input.feature)) {
        throw new Refusal(
          "not_found",
          `There is no feature "${input.feature}"; \`signalbox feature list\` shows those there are.`,
        );
      }
      if (input.task !== undefined) requireTask(state, input.task);
      return [{ type: "learning.added", payload: input }];
    },
  };
}
