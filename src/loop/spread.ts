/**
 * Which of the ready tasks a driver tries to claim. Alone it takes the first. Where another driver was faster, it chooses among twice as
 * many as before: of 64 drivers that all try the first task, one would get it and 63 look again.
 */
export class Spread {
  #among = 1;

  /** How many of the first ready tasks are enough to choose from. */
  get among(): number {
    return this.#among;
  }

  /** One of the first tasks, all of one priority. @param ready in the order in which they should run */
  choose<Task extends { readonly priority: string }>(ready: readonly Task[]): Task | undefined {
    const alike = ready.slice(0, this.#among).filter(({ priority }) => priority === ready[0]?.priority);
    return alike[Math.floor(Math.random() * alike.length)];
  }

  claimed(): void {
    this.#among = Math.max(1, this.#among - 1);
  }

  /** Another driver has claimed it. */
  lost(): void {
    this.#among = Math.min(MOST, this.#among * 2);
  }
}

const MOST = 256;
