import { z } from "zod";
import { Refusal } from "../decisions/refusal.ts";
import { policyNames, policySet } from "../events/types/policies.ts";
import { tableLines } from "../lib/terminal/output.ts";
import { policyValue } from "../projections/board/policies.ts";
import { listPolicies as allPolicies } from "../queries/catalogue.ts";
import { defineGroup } from "./group.ts";
import { defineOperation } from "./operation.ts";
import { defineReading } from "./reading.ts";

const listPolicies = defineReading({
  input: z.strictObject({}),
  ask: (readModel) => allPolicies(readModel),
  command: {
    name: "list",
    isDefault: true,
    does: "list the policies, their values and what each decides",
    takes: {},
    example: "--json",
    says: (policies) =>
      tableLines(
        ["policy", "value", "set at", "decides"],
        policies.map(({ name, value, position, does }) => [name, String(value), position ?? "default", does]),
      ),
  },
});

/** @throws Refusal `nothing_to_do`: the policy already has that value */
export const setPolicy = defineOperation({
  type: "policy.set",
  input: policySet.payload,
  plan(input, state) {
    if (policyValue(state, input.policy) === input.value) {
      throw new Refusal("nothing_to_do", `Policy ${input.policy} is already ${input.value}.`);
    }
    return [{ type: "policy.set", payload: input }];
  },
  answer: ({ input: { policy: name, value }, event }) => ({ name, value, position: event.position }),
  command: {
    name: "set",
    does: "set a policy, for settlements from now on",
    takes: {
      policy: [
        "<name>",
        `one of: ${policyNames.join(", ")}`,
        { must: `The policies are ${policyNames.join(", ")}.` },
      ],
      value: ["<value>", "a number, true or false, or a word, as `policy list` says", { parse: parseValue }],
    },
    example: "stuck_limit 5",
    says: ({ name, value, position }) => `${name} is ${value} from position ${position} on.`,
  },
});

/** A value as a command line gives it; which of them a policy takes is checked with its name. */
export function parseValue(text: string): number | boolean | string {
  if (text === "true" || text === "false") return text === "true";
  return /^-?\d+$/.test(text) ? Number(text) : text;
}

export const policies = defineGroup({
  name: "policy",
  does: "policies: the project's rules for settling tasks",
  has: [listPolicies, setPolicy],
});
