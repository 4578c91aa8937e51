import type { PayloadOf } from "../events/types/index.ts";
import type { Decision } from "./decide.ts";
import { type Given, givenFields } from "./given-fields.ts";
import { requireFeature, requireTask } from "./state.ts";

type Payload = PayloadOf<"learning.added">;

/**
 * Something was learned that no verb of a session told. The same words once more are joined with what is there
 * (src/projections/learnings.ts).
 *
 * @param input without a feature it concerns the whole project; `kind` absent: a discovery. `source` is what the caller
 *   says; who said so is the event's actor
 * @throws Refusal `not_found`: the feature or the task
 */
export function addLearning(
  input: Given<Payload> & Pick<Payload, "text" | "source">,
): Decision<"learning.added"> {
  const { text, source, kind = "discovery", ...more } = input;
  return {
    type: "learning.added",
    input: { ...input, kind },
    plan(state) {
      if (input.feature !== undefined) requireFeature(state, input.feature);
      if (input.task !== undefined) requireTask(state, input.task);
      return [{ type: "learning.added", payload: { text, source, kind, ...givenFields(more) } }];
    },
  };
}
