import type { Event } from "../../events/types/index.ts";
import type { policyDefaults } from "../../events/types/policies.ts";
import { closingRules, type RuleName } from "../../projections/board/policies.ts";
import type { Board } from "../../projections/board/tables.ts";
import { priorityRank } from "../../projections/board/task-rows.ts";
import { toFlag } from "../../projections/table.ts";
import type { WhatIfPolicy } from "./policy.ts";
import { tellsLearning } from "./sessions-that-told.ts";

/**
 * The effects of another policy on the other world's board, beyond the policy values that reducers
 * read there.
 */
export class OtherPolicy {
  readonly #policy: WhatIfPolicy;
  readonly #board: Board;
  /** Running sessions that reported a learning. */
  readonly #told = new Set<string>();

  /** @param board the board on which the policy applies from now on */
  constructor(policy: WhatIfPolicy, board: Board) {
    this.#policy = policy;
    this.#board = board;
    const { stuck_limit, closing, waiting_is_stuck, partial_resets } = policy;
    if (stuck_limit !== undefined) this.#put("stuck_limit", stuck_limit);
    if (closing !== undefined) this.#put("closing_rule", closingRules.indexOf(closing));
    if (waiting_is_stuck !== undefined) this.#put("waiting_is_stuck", toFlag(waiting_is_stuck));
    if (partial_resets === "always") this.#put("partial_resets", 1);
  }

  /** True for an event that sets what the policy sets: it has no effect there. */
  replaces({ type, payload }: Event): boolean {
    return type === "policy.set" && payload.policy in this.#policy;
  }

  /**
   * Call before an event is reduced: settlement knows whether partial resets the count, but not
   * whether this session reported a learning.
   */
  prepare({ type, payload }: Event): void {
    if (type !== "session.ended") return;
    const told = this.#told.delete(payload.session);
    if (this.#policy.partial_resets === "with_learnings") this.#put("partial_resets", toFlag(told));
  }

  /** Call after the event was reduced. */
  look(event: Event): void {
    if (tellsLearning(this.#board, event)) this.#told.add(event.payload.session);
  }

  /** @param tasks those with written rows */
  rewritePriorities(tasks: readonly number[]): void {
    const { priorities } = this.#policy;
    if (!priorities) return;
    for (const id of tasks) {
      const priority = priorities[id];
      const task = priority && this.#board.tasks.get(id);
      if (task && task.priority !== priority)
        this.#board.tasks.update(id, { priority, priority_rank: priorityRank(priority) });
    }
  }

  #put(name: RuleName | keyof typeof policyDefaults, value: number): void {
    if (this.#board.policies.get(name)?.value === value) return;
    this.#board.policies.delete(name);
    // No event set it.
    this.#board.policies.insert({ name, value, position: NO_POSITION });
  }
}

/** The position of a policy that no event set; it appears among the causes of a status change. */
export const NO_POSITION = 0;
