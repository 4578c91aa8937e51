import type { Event } from "../../events/types/index.ts";
import type { ClosingVerb } from "../../events/types/signals.ts";
import { leavesSomethingOpen } from "../../projections/board/stalls.ts";
import type { Board } from "../../projections/board/tables.ts";

/** How many sessions of a history ended, and how many of them a what-if policy can affect. */
export interface Facts {
  readonly ended: number;
  /** Closing verb stuck, including inferred ones. */
  readonly stuck: number;
  /** Closing verb partial. */
  readonly partial: number;
  /** Of those: reported a learning. */
  readonly partial_with_learnings: number;
  /** Of those with a learning: there was a stuck count to reset. */
  readonly partial_with_learnings_after_stuck: number;
  /** Partial ones, with or without learnings, with a stuck count to reset. */
  readonly partial_after_stuck: number;
  /** Settled as partial and left a question or a blocker open. */
  readonly waiting: number;
  /** Called different closing verbs. */
  readonly several_closing_verbs: number;
}

/** Counts these facts on a history's board, event by event. */
export class FactCounter {
  readonly #facts: { -readonly [Name in keyof Facts]: number } = {
    ended: 0,
    stuck: 0,
    partial: 0,
    partial_with_learnings: 0,
    partial_with_learnings_after_stuck: 0,
    partial_after_stuck: 0,
    waiting: 0,
    several_closing_verbs: 0,
  };
  readonly #closing = new Map<string, Set<ClosingVerb>>();

  get facts(): Facts {
    return this.#facts;
  }

  /** Call for every event, after the board has reduced it. */
  count(board: Board, event: Event): void {
    if (event.type === "signal.done" || event.type === "signal.partial" || event.type === "signal.stuck")
      this.#countClosing(board, event);
    else if (event.type === "session.ended") this.#countEnd(board, event);
  }

  #countClosing(
    board: Board,
    { payload, position }: Event<"signal.done" | "signal.partial" | "signal.stuck">,
  ): void {
    const session = board.sessions.get(payload.session);
    if (session?.last_closing_position !== position || session.last_closing === null) return;
    const said = this.#closing.get(session.id) ?? new Set();
    this.#closing.set(session.id, said.add(session.last_closing));
  }

  #countEnd(board: Board, { payload, position }: Event<"session.ended">): void {
    const session = board.sessions.get(payload.session);
    const task = session && board.tasks.get(session.task_id ?? 0);
    if (!task || session.ended_position !== position) return;
    const facts = this.#facts;
    facts.ended += 1;
    if (session.closing === "stuck") facts.stuck += 1;
    if (session.closing === "partial") {
      // A partial leaves the count unchanged.
      const afterStuck = task.stuck_count > 0 ? 1 : 0;
      facts.partial += 1;
      facts.partial_after_stuck += afterStuck;
      facts.partial_with_learnings += session.learned;
      facts.partial_with_learnings_after_stuck += session.learned * afterStuck;
    }
    const settlesAsPartial = session.closing !== "stuck" && session.outcome !== "success";
    if (settlesAsPartial && leavesSomethingOpen(board, session)) facts.waiting += 1;
    if ((this.#closing.get(session.id)?.size ?? 0) > 1) facts.several_closing_verbs += 1;
    this.#closing.delete(session.id);
  }
}

/** The sum over several histories. */
export function sumOfFacts(all: readonly Facts[]): Facts {
  const sum = new FactCounter().facts;
  return all.reduce((total, one) => {
    const names = Object.keys(total) as (keyof Facts)[];
    return Object.fromEntries(names.map((name) => [name, total[name] + one[name]])) as unknown as Facts;
  }, sum);
}
