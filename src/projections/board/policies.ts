import { type PolicyName, policyDefaults } from "../../events/types/policies.ts";
import type { Board } from "./tables.ts";

/** The value that a policy has now: as it was set, or its default. */
export function policyValue(board: Pick<Board, "policies">, name: PolicyName): number {
  return board.policies.get(name)?.value ?? policyDefaults[name];
}
