import type { Event } from "../../events/types/index.ts";
import type { OrderDifference } from "./report.ts";
import type { Worlds } from "./two-worlds.ts";

/**
 * Whether sessions would have taken other tasks. Only a start on the next task shows a choice of
 * the loop: a human's start out of order, or a second driver's, says nothing about the order.
 */
export class OrderOfTasks {
  #difference: OrderDifference = { sessions: 0, first: null };

  get difference(): OrderDifference {
    return this.#difference;
  }

  /** Call for every event that was possible in the other world, before reducing it. */
  look(
    event: Event,
    { wasReady, wouldBeReady }: Pick<Worlds, "wasReady" | "wouldBeReady">,
    isUnknown: (task: number) => boolean,
  ): void {
    if (event.type !== "session.started" || event.payload.task !== wasReady.next()) return;
    const next = wouldBeReady.next(isUnknown);
    if (next === event.payload.task) return;
    const { position, payload } = event;
    const { sessions, first } = this.#difference;
    this.#difference = {
      sessions: sessions + 1,
      first: first ?? { position, was: payload.task, would_be: next ?? null },
    };
  }
}
