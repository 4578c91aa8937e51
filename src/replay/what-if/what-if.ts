import { setImmediate as nextTurn } from "node:timers/promises";
import type { EventLog } from "../../events/log.ts";
import type { TaskStatus } from "../../events/types/fields.ts";
import type { Event } from "../../events/types/index.ts";
import type { Board } from "../../projections/board/tables.ts";
import { Departures, standingOf } from "./departures.ts";
import { FactCounter } from "./facts.ts";
import { OrderOfTasks } from "./order.ts";
import { OtherWorld } from "./other-world.ts";
import { Partings } from "./partings.ts";
import type { WhatIfPolicy } from "./policy.ts";
import type { WhatIfReport } from "./report.ts";
import { World } from "./world.ts";

/**
 * Reduces a history twice, side by side: as it is and under another policy, and tells where they part (docs/what-if.md).
 * Reads the log up to its present head, and nothing is written anywhere.
 *
 * @param onProgress is told the position after each batch
 */
export async function whatIf(
  log: Pick<EventLog, "head" | "read">,
  policy: WhatIfPolicy,
  onProgress: (position: number) => void = () => {},
): Promise<WhatIfReport> {
  const head = await log.head();
  const comparison = new Comparison(policy);
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
 *     event ──▶ the world as it was ──────────────────────────▶┐
 *       └─────▶ could it have happened there? ──▶ the other ──▶┴ rows that differ ──▶ where each task parts
 */
class Comparison {
  readonly #policy: WhatIfPolicy;
  readonly #was = new World();
  readonly #wouldBe: OtherWorld;
  readonly #departures = new Departures();
  readonly #partings = new Partings();
  readonly #order = new OrderOfTasks();
  readonly #facts = new FactCounter();

  constructor(policy: WhatIfPolicy) {
    this.#policy = policy;
    this.#wouldBe = new OtherWorld(policy);
  }

  step(event: Event): void {
    const [was, wouldBe] = [this.#was, this.#wouldBe];
    const isLeftOut = this.#departures.leavesOut(was.board, wouldBe.board, event);
    const isUnknown = (task: number) => this.#departures.of(task) !== undefined;
    if (!isLeftOut) this.#order.look(event, was, wouldBe, isUnknown);

    const lastId = was.board.taskIds.get(1)?.last_id;
    was.reduce(event);
    this.#facts.count(was.board, event);
    if (!isLeftOut) wouldBe.reduce(event, lastId);
    const touched = [...was.takeTouched(), ...wouldBe.takeTouched()];
    const differing = this.#partings.look(event, was.board, wouldBe.board, touched, isUnknown);
    const boards = { was: was.board, would_be: wouldBe.board };
    if (isLeftOut) this.#departures.spread(boards, event, differing);
  }

  report(head: number): WhatIfReport {
    const [was, wouldBe] = [this.#was.board, this.#wouldBe.board];
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
    };
  }

  close(): void {
    this.#was.close();
    this.#wouldBe.close();
  }
}

function countsOf(board: Board): Partial<Record<TaskStatus, number>> {
  const counted = board.taskCounts.where({}, ({ tasks }) => tasks > 0);
  return Object.fromEntries(counted.map(({ status, tasks }) => [status, tasks]));
}
