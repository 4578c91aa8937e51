import type { PayloadOf } from "../events/types/index.ts";
import type { Decision } from "./decide.ts";
import { type Given, givenFields } from "./given-fields.ts";
import { Refusal } from "./refusal.ts";
import { refuseAgent } from "./refuse-agent.ts";
import { requireFeature, requireTask, type State } from "./state.ts";

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

/**
 * Pins a learning, retires it, or takes either back.
 *
 * @throws Refusal `not_found`: the learning; `nothing_to_do`: it is so already; `not_possible`: an agent asks
 */
export function markLearning(input: PayloadOf<"learning.marked">): Decision<"learning.marked"> {
  return {
    type: "learning.marked",
    input,
    permit: (_state, actor) => refuseAgent(actor, "Which learnings count belongs to the human to say."),
    plan(state) {
      const { mark } = requireLearning(state, input.learning);
      if (mark === input.mark) {
        const is = mark === "none" ? "neither pinned nor retired" : `${mark} already`;
        throw new Refusal("nothing_to_do", `Learning ${input.learning} is ${is}.`);
      }
      return [{ type: "learning.marked", payload: givenFields(input) }];
    },
  };
}

/**
 * Takes what was joined with a learning out of it again.
 *
 * @param source the position at which it was said
 * @throws Refusal `not_found`: nothing was learned there; `not_possible`: it is the entry's own first time; an agent asks
 */
export function splitLearning({ source }: { source: number }): Decision<"learning.split"> {
  return {
    type: "learning.split",
    input: { source },
    permit: (_state, actor) => refuseAgent(actor, "What belongs together belongs to the human to say."),
    plan({ learningSources }) {
      const row = learningSources.get(source);
      if (!row) {
        throw new Refusal(
          "not_found",
          `Nothing was learned at position ${source}; \`signalbox learning show\` shows what was.`,
        );
      }
      const learning = row.learning_id;
      if (learning === source) {
        throw new Refusal(
          "not_possible",
          `Learning ${source} is an entry of its own: name what was joined with it.`,
        );
      }
      return [{ type: "learning.split", payload: { learning, source } }];
    },
  };
}

function requireLearning({ learnings, learningSources }: State, id: number) {
  const entry = learnings.get(id);
  if (entry) return entry;
  const joined = learningSources.get(id)?.learning_id;
  const meant =
    joined === undefined
      ? "`signalbox learning list` shows those there are."
      : `What was said there is part of learning ${joined}.`;
  throw new Refusal("not_found", `There is no learning ${id}. ${meant}`, { field: "learning" });
}
