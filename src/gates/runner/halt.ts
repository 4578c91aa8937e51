export interface Halt {
  /** Why the command was told to end, if it was. */
  readonly why: "timed_out" | "aborted" | undefined;
  /** Resolves when it must end; never, if it ends first. */
  readonly comes: Promise<undefined>;
  /** It has ended: stops waiting. */
  done(): void;
}

/** Decides when to end a command: at its timeout, or when a signal is aborted. The first counts. */
export function haltOn(timeoutMs: number, ...signals: readonly (AbortSignal | undefined)[]): Halt {
  const over = new AbortController();
  let why: Halt["why"];
  const comes = new Promise<undefined>((resolve) => {
    const halt = (reason: NonNullable<Halt["why"]>) => {
      why ??= reason;
      resolve(undefined);
    };
    const timer = setTimeout(halt, timeoutMs, "timed_out");
    over.signal.addEventListener("abort", () => clearTimeout(timer));
    for (const signal of signals) {
      if (signal?.aborted) halt("aborted");
      signal?.addEventListener("abort", () => halt("aborted"), { signal: over.signal });
    }
  });
  return {
    get why() {
      return why;
    },
    comes,
    done: () => over.abort(),
  };
}
