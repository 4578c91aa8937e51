import type { Event } from "../../events/types/index.ts";
import { policyNames } from "../../events/types/policies.ts";
import { storedValue } from "../../projections/board/policies.ts";
import type { Board } from "../../projections/board/tables.ts";
import { priorityRank } from "../../projections/board/task-rows.ts";
import type { WhatIfPolicy } from "./policy.ts";

/**
 * The effects of another policy on the other world's board, beyond the policy values that reducers
 * read there.
 */
export class OtherPolicy {
  readonly #policy: WhatIfPolicy;
  readonly #board: Board;

  /** @param board the board on which the policy applies from now on */
  constructor(policy: WhatIfPolicy, board: Board) {
    this.#policy = policy;
    this.#board = board;
    for (const name of policyNames) {
      const value = policy[name];
      // No event set it.
      if (value !== undefined)
        board.policies.insert({ name, value: storedValue(value), position: NO_POSITION });
    }
  }

  /** True for an event that sets what the policy sets: it has no effect there. */
  replaces({ type, payload }: Event): boolean {
    return type === "policy.set" && payload.policy in this.#policy;
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
}

/** The position of a policy that no event set; it appears among the causes of a status change. */
export const NO_POSITION = 0;
