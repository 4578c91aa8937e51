/** Work that was begun and is not over. */
export class Pending {
  readonly #works = new Set<Promise<unknown>>();

  get size(): number {
    return this.#works.size;
  }

  /** Counts as pending until it is over. @returns the same work */
  add<Result>(work: Promise<Result>): Promise<Result> {
    this.#works.add(work);
    const over = () => void this.#works.delete(work);
    work.then(over, over);
    return work;
  }

  /** Resolves when all work that is pending now is over. */
  settled(): Promise<unknown> {
    return Promise.allSettled(this.#works);
  }

  /** Resolves when no work is pending any more. */
  async drained(): Promise<void> {
    while (this.#works.size > 0) await this.settled();
  }
}
