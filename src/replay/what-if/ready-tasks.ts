import { isReady } from "../../projections/board/status.ts";
import type { Task } from "../../projections/board/tables.ts";

/**
 * The ready tasks in the order in which they are taken: by priority, then by id (rules.md, Task statuses). A binary heap, whose
 * entries of tasks that are not ready any more are dropped when they come to its top: `next` costs the same however many are ready.
 */
export class ReadyTasks {
  /** The turn of each ready task. */
  readonly #turns = new Map<number, number>();
  readonly #heap: number[] = [];

  /** To be told of every change of a task; undefined for one that was deleted. */
  note(id: number, task: Task | undefined): void {
    if (!task || !isReady(task)) {
      this.#turns.delete(id);
      return;
    }
    const turn = task.priority_rank * IDS + id;
    if (this.#turns.get(id) === turn) return;
    this.#turns.set(id, turn);
    this.#push(turn);
  }

  /** @param isLeftOut for good: a task that was left out once is never the next one again */
  next(isLeftOut: (task: number) => boolean = () => false): number | undefined {
    for (let [turn] = this.#heap; turn !== undefined; [turn] = this.#heap) {
      const id = turn % IDS;
      if (this.#turns.get(id) === turn && !isLeftOut(id)) return id;
      this.#pop();
    }
    return undefined;
  }

  #push(turn: number): void {
    const heap = this.#heap;
    let index = heap.length;
    for (let above = parentOf(index); index > 0 && turn < at(heap, above); above = parentOf(index)) {
      heap[index] = at(heap, above);
      index = above;
    }
    heap[index] = turn;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let index = 0;
    for (;;) {
      const left = 2 * index + 1;
      const lower = at(heap, left + 1) < at(heap, left) ? left + 1 : left;
      if (last <= at(heap, lower)) break;
      heap[index] = at(heap, lower);
      index = lower;
    }
    heap[index] = last;
  }
}

/** Beyond every id of a task: what is said of the priority comes before it. */
const IDS = 2 ** 45;

function parentOf(index: number): number {
  return (index - 1) >> 1;
}

/** Behind the end of the heap comes nothing. */
function at(heap: readonly number[], index: number): number {
  return heap[index] ?? Number.POSITIVE_INFINITY;
}
