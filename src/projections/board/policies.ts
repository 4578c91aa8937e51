import { type PolicyName, policyDefaults } from "../../events/types/policies.ts";
import type { Board } from "./tables.ts";

/**
 * Settlement policies that no event sets (docs/rules.md, Settlement). What-if puts other values
 * into the table `policies` before it replays a history (src/history/what-if).
 */
const ruleDefaults = Object.freeze({
  /** Which closing verb of a session counts (step 2): an index into `closingRules`. */
  closing_rule: 0,
  /** 1: the closing verb partial resets the stuck count to 0 (step 6 leaves it unchanged). */
  partial_resets: 0,
  /**
   * 1: a session that settles as partial and leaves a question or blocker open counts as stuck
   * (step 6).
   */
  waiting_is_stuck: 0,
});

export const closingRules = ["last", "first", "worst"] as const;
export type ClosingRule = (typeof closingRules)[number];
export type RuleName = keyof typeof ruleDefaults;

/** A policy's current value: the one that was set, or its default. */
export function policyValue(board: Pick<Board, "policies">, name: PolicyName | RuleName): number {
  return board.policies.get(name)?.value ?? { ...policyDefaults, ...ruleDefaults }[name];
}

/** Which closing verb of a session counts (docs/rules.md, Settlement, step 2: the last). */
export function closingRule(board: Pick<Board, "policies">): ClosingRule {
  return closingRules[policyValue(board, "closing_rule")] ?? "last";
}
