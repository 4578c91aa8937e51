import type { Event } from "../../events/types/index.ts";
import type { policyDefaults } from "../../events/types/policies.ts";
import { closingRules, type RuleName } from "../../projections/board/policies.ts";
import type { Board } from "../../projections/board/tables.ts";
import { priorityRank } from "../../projections/board/task-rows.ts";
import { toFlag } from "../../projections/table.ts";
import type { WhatIfPolicy } from "./policy.ts";
import { tellsLearning } from "./sessions-that-told.ts";

/** What another policy makes of the board of the other world, beside what the reducers read there. */
export class OtherPolicy {
  readonly #policy: WhatIfPolicy;
  readonly #board: Board;
  /** Sessions that run and told a learning. */
  readonly #told = new Set<string>();

  /** @param board on which the policy holds from now on */
  constructor(policy: WhatIfPolicy, board: Board) {
    this.#policy = policy;
    this.#board = board;
    const { stuck_limit, closing, waiting_is_stuck, partial_resets } = policy;
    if (stuck_limit !== undefined) this.#put("stuck_limit", stuck_limit);
    if (closing !== undefined) this.#put("closing_rule", closingRules.indexOf(closing));
    if (waiting_is_stuck !== undefined) this.#put("waiting_is_stuck", toFlag(waiting_is_stuck));
    if (partial_resets === "always") this.#put("partial_resets", 1);
  }

  /** True for an event that sets what the policy sets: it does nothing there. */
  replaces({ type, payload }: Event): boolean {
    return type === "policy.set" && payload.policy in this.#policy;
  }

  /** To be told of an event before it is reduced: settlement knows only whether partial resets, and not whether this session told a learning. */
  prepare({ type, payload }: Event): void {
    if (type !== "session.ended") return;
    const told = this.#told.delete(payload.session);
    if (this.#policy.partial_resets === "with_learnings") this.#put("partial_resets", toFlag(told));
  }

  /** To be told of it after that. */
  look(event: Event): void {
    if (tellsLearning(this.#board, event)) this.#told.add(event.payload.session);
  }

  /** @param tasks those whose rows were written */
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

/** The position of a policy that no event set; it comes up among the causes of a change of status. */
export const NO_POSITION = 0;
