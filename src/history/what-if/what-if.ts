import { setImmediate as nextTurn } from "node:timers/promises";
import type { EventLog } from "../../events/log.ts";
import type { TaskStatus } from "../../events/types/fields.ts";
import type { Event } from "../../events/types/index.ts";
import type { Board } from "../../projections/board/tables.ts";
import { Departures, standingOf } from "./departures.ts";
import { FactCounter } from "./facts.ts";
import { Partings } from "./partings.ts";
import { unknownsOf, type WhatIfPolicy } from "./policy.ts";
import type { OrderDifference, WhatIfReport } from "./report.ts";
import { TwoWorlds, type Worlds } from "./two-worlds.ts";

/**
 * Reduces a history twice, side by side: as recorded and under another policy, and reports where
 * they diverge (docs/history.md#what-if). Reads the log up to its current head, and writes nothing.
 *
 * @param onProgress gets the position after each batch
 */
export async function whatIf(
  log: Pick<EventLog, "head" | "read">,
  policy: WhatIfPolicy,
  onProgress: (position: number) => void = () => {},
): Promise<WhatIfReport> {
  const head = await log.head();
  const comparison = new Comparison(policy, new TwoWorlds(policy));
  try {
    for (let position = 0; position < head; ) {
      const events = await log.read(position, Math.min(BATCH, head - position));
      for (const event of events) comparison.step(event);
      position += events.length;
      onProgress(position);
      await nextTurn();
    }
    return comparison.report(head);
  } finally {
    comparison.close();
  }
}

const BATCH = 1_000;

/**
 * Compares both worlds after each event.
 *
 *     event ──▶ possible there? ──▶ both worlds ──▶ differing rows ──▶ where each task diverges
 */
export class Comparison {
  readonly #policy: WhatIfPolicy;
  readonly #worlds: Worlds;
  readonly #departures = new Departures();
  readonly #partings = new Partings();
  readonly #order = new OrderOfTasks();
  readonly #facts = new FactCounter();
  readonly #isUnknown = (task: number) => this.#departures.of(task) !== undefined;

  constructor(policy: WhatIfPolicy, worlds: Worlds) {
    this.#policy = policy;
    this.#worlds = worlds;
  }

  step(event: Event): void {
    const { was, wouldBe } = this.#worlds;
    const isLeftOut = this.#departures.leavesOut(was, wouldBe, event);
    if (!isLeftOut) this.#order.look(event, this.#worlds, this.#isUnknown);
    const written = this.#worlds.reduce(event, isLeftOut);
    this.#facts.count(was, event);
    const differing = this.#partings.look(event, was, wouldBe, written, this.#isUnknown);
    if (isLeftOut) this.#departures.spread({ was, would_be: wouldBe }, event, differing);
  }

  report(head: number): WhatIfReport {
    const { was, wouldBe } = this.#worlds;
    const tasks = this.#partings.list().map(({ task, ...parting }) => {
      const wouldBeThen = this.#departures.wouldBeThen(task);
      return {
        task,
        title: (was.tasks.get(task) ?? wouldBe.tasks.get(task))?.title ?? "",
        was: standingOf(was, task),
        would_be: wouldBeThen === undefined ? standingOf(wouldBe, task) : wouldBeThen,
        ...parting,
        other_history: this.#departures.of(task) ?? null,
      };
    });
    return {
      policy: this.#policy,
      head,
      counts: { was: countsOf(was), would_be: countsOf(wouldBe) },
      parts_at: tasks[0]?.parts_at.position ?? null,
      tasks,
      order: this.#order.difference,
      sessions: this.#facts.facts,
      cannot_know: unknownsOf(this.#policy),
    };
  }

  close(): void {
    this.#worlds.close();
  }
}

function countsOf(board: Board): Partial<Record<TaskStatus, number>> {
  const counted = board.taskCounts.scan(({ tasks }) => tasks > 0);
  return Object.fromEntries(counted.map(({ status, tasks }) => [status, tasks]));
}

/**
 * Whether sessions would have taken other tasks. Only a start on the next task shows a choice of
 * the loop: a human's start out of order, or a second driver's, says nothing about the order.
 */
class OrderOfTasks {
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
    if (event.type !== "session.started") return;
    const { position, payload } = event;
    if (payload.task === undefined || payload.task !== wasReady.next()) return;
    const next = wouldBeReady.next(isUnknown);
    if (next === payload.task) return;
    const { sessions, first } = this.#difference;
    this.#difference = {
      sessions: sessions + 1,
      first: first ?? { position, was: payload.task, would_be: next ?? null },
    };
  }
}
