import { isReady } from "../../projections/board/status.ts";
import type { Task } from "../../projections/board/tables.ts";

/**
 * The ready tasks in starting order: by priority, then by id (docs/rules.md, Task statuses). A
 * binary heap with lazy deletion: entries of tasks that are no longer ready are dropped at the top,
 * so that `next` costs the same however many are ready.
 */
export class ReadyTasks {
  /** The turn of each ready task. */
  readonly #turns = new Map<number, number>();
  readonly #heap: number[] = [];

  /** Call on every change of a task; undefined for a deleted task. */
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

  /** @param isLeftOut permanently: once left out, a task is never next again */
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

/** Above every task id, so that the priority sorts first. */
const IDS = 2 ** 45;

function parentOf(index: number): number {
  return (index - 1) >> 1;
}

/** Past the end of the heap. */
function at(heap: readonly number[], index: number): number {
  return heap[index] ?? Number.POSITIVE_INFINITY;
}
