import type { PayloadOf } from "../events/types/index.ts";
import type { Decision } from "./decide.ts";
import { givenFields } from "./given-fields.ts";
import { Refusal } from "./refusal.ts";

/** Gives the project a title or a description; what is absent stays. @throws Refusal `nothing_to_do` */
export function describeProject(input: PayloadOf<"project.described">): Decision<"project.described"> {
  return {
    type: "project.described",
    input,
    plan() {
      const payload = givenFields(input);
      if (Object.keys(payload).length === 0) {
        throw new Refusal(
          "nothing_to_do",
          "Nothing was given that would change the project; it has a title and a description.",
        );
      }
      return [{ type: "project.described", payload }];
    },
  };
}

/** Notes how the work goes on, for progress.txt. */
export function noteProgress(input: PayloadOf<"progress.noted">): Decision<"progress.noted"> {
  return {
    type: "progress.noted",
    input,
    plan: () => [{ type: "progress.noted", payload: input }],
  };
}
