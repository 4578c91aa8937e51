import type { Event } from "../../events/types/index.ts";
import { policyDefaults } from "../../events/types/policies.ts";
import { closingRules, type RuleName } from "../../projections/board/policies.ts";
import type { Board } from "../../projections/board/tables.ts";
import { priorityRank } from "../../projections/board/task-rows.ts";
import type { WhatIfPolicy } from "./policy.ts";
import { tellsLearning } from "./sessions-that-told.ts";
import { type Touched, World } from "./world.ts";

/** The board of a world in which another policy holds, from the first event on. */
export class OtherWorld {
  readonly #world = new World();
  readonly #policy: WhatIfPolicy;
  /** Sessions that run and told a learning. */
  readonly #told = new Set<string>();

  constructor(policy: WhatIfPolicy) {
    this.#policy = policy;
    const { stuck_limit = policyDefaults.stuck_limit, closing = "last", waiting_is_stuck = false } = policy;
    if (stuck_limit !== policyDefaults.stuck_limit) this.#put("stuck_limit", stuck_limit);
    if (closing !== "last") this.#put("closing_rule", closingRules.indexOf(closing));
    if (waiting_is_stuck) this.#put("waiting_is_stuck", 1);
    if (policy.partial_resets === "always") this.#put("partial_resets", 1);
  }

  get board(): Board {
    return this.#world.board;
  }

  /** @param lastId the highest id that was given so far: what is proposed gets the id that it got, whatever was left out */
  reduce(event: Event, lastId: number | undefined): void {
    if (event.type === "policy.set" && event.payload.policy in this.#policy) return;
    if (lastId !== undefined && this.board.taskIds.get(1)) this.board.taskIds.update(1, { last_id: lastId });
    if (event.type === "session.ended") this.#decideOnReset(event.payload.session);
    this.#world.reduce(event);
    if (tellsLearning(this.board, event)) this.#told.add(event.payload.session);
  }

  /** The rows that were written since this was last asked, with the priorities of the policy in them. */
  takeTouched(): readonly Touched[] {
    for (const [id, priority] of Object.entries(this.#policy.priorities ?? {})) {
      const task = this.board.tasks.get(Number(id));
      if (task && task.priority !== priority)
        this.board.tasks.update(task.id, { priority, priority_rank: priorityRank(priority) });
    }
    return [...this.#world.takeTouched()];
  }

  next(isLeftOut: (task: number) => boolean): number | undefined {
    return this.#world.next(isLeftOut);
  }

  close(): void {
    this.#world.close();
  }

  /** Settlement knows only whether partial resets; whether this session told a learning is known here. */
  #decideOnReset(session: string): void {
    const told = this.#told.delete(session);
    if (this.#policy.partial_resets === "with_learnings") this.#put("partial_resets", told ? 1 : 0);
  }

  #put(name: RuleName | keyof typeof policyDefaults, value: number): void {
    this.board.policies.delete(name);
    // No event set it.
    this.board.policies.insert({ name, value, position: NO_POSITION });
  }
}

/** The position of a policy that no event set; it comes up among the causes of a change of status. */
export const NO_POSITION = 0;
