/** Work under way in this process, by name: whoever asks meanwhile gets the same answer. */
export class InFlight<T> {
  readonly #underWay = new Map<string, Promise<T>>();

  /** @returns what `work` gives, or what the same work gives that has begun already; rejects as that does */
  share(name: string, work: () => Promise<T>): Promise<T> {
    const begun = this.begun(name);
    if (begun !== undefined) return begun;
    const begins = work().finally(() => this.#underWay.delete(name));
    this.#underWay.set(name, begins);
    return begins;
  }

  /** That work, if it is under way. */
  begun(name: string): Promise<T> | undefined {
    return this.#underWay.get(name);
  }
}
