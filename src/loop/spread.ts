/**
 * Which of the ready tasks a driver tries to claim. Alone it takes the first; among tasks of one priority those come first
 * that it has worked on least, so that one which is tried again and again does not keep the others waiting. Where another
 * driver was faster, it chooses among twice as many as before: of 64 drivers that all try the first task, one would get
 * it and 63 look again.
 */
export class Spread {
  #among = 1;
  /** How often each task was claimed that may come again. */
  readonly #turns = new Map<number, number>();

  /** How many of the first ready tasks are enough to choose from. */
  get among(): number {
    return this.#among + this.#turns.size;
  }

  /** One of the first tasks, all of one priority. @param ready in the order in which they should run */
  choose<Task extends Choice>(ready: readonly Task[]): Task | undefined {
    const equal = ready.filter(({ priority }) => priority === ready[0]?.priority);
    const least = Math.min(...equal.map((task) => this.#turnsOf(task)));
    const alike = equal.filter((task) => this.#turnsOf(task) === least).slice(0, this.#among);
    return alike[Math.floor(Math.random() * alike.length)];
  }

  claimed(task: Choice): void {
    this.#among = Math.max(1, this.#among - 1);
    this.#turns.set(task.id, this.#turnsOf(task) + 1);
  }

  /** Another driver has claimed it. */
  lost(): void {
    this.#among = Math.min(MOST, this.#among * 2);
  }

  /** It does not come again. */
  finished({ id }: Pick<Choice, "id">): void {
    this.#turns.delete(id);
  }

  #turnsOf({ id }: Choice): number {
    return this.#turns.get(id) ?? 0;
  }
}

interface Choice {
  readonly id: number;
  readonly priority: string;
}

const MOST = 256;
