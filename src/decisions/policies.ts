import type { PolicyName } from "../events/types/policies.ts";
import { policyValue } from "../projections/board/policies.ts";
import type { Decision } from "./decide.ts";
import { Refusal } from "./refusal.ts";

/** @throws Refusal `nothing_to_do`: the policy has that value */
export function setPolicy(input: { policy: PolicyName; value: number }): Decision<"policy.set"> {
  return {
    type: "policy.set",
    input,
    plan(state) {
      if (policyValue(state, input.policy) === input.value) {
        throw new Refusal("nothing_to_do", `Policy ${input.policy} is ${input.value} already.`);
      }
      return [{ type: "policy.set", payload: input }];
    },
  };
}
