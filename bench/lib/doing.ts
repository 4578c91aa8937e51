/** What a process of the bench tells the one that started it. */
export type Told = { readonly doing: string } | { readonly section: unknown };

/** Says what the bench waits for from now on, which is told if its time is over before that comes. */
export function doing(what: string): void {
  process.send?.({ doing: what } satisfies Told);
}
