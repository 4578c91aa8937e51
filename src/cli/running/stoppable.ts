import { fail } from "../../lib/terminal/output.ts";

/**
 * Does work that SIGINT, SIGTERM and SIGHUP stop in good order: by the signal that it is given. Those that come after the first one
 * are ignored until then, else what was to be ended would be left to itself.
 *
 * @returns what the work came to; undefined where it was stopped while it waited, which is said on stderr, and by the exit code
 */
export async function stoppable<Answer>(
  work: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer | undefined> {
  const stop = new AbortController();
  let by: (typeof SIGNALS)[number] = "SIGTERM";
  const onSignal = (name: typeof by) => {
    if (!stop.signal.aborted) by = name;
    stop.abort();
  };
  for (const name of SIGNALS) process.on(name, onSignal);
  try {
    return await work(stop.signal);
  } catch (error) {
    if (!stop.signal.aborted || error !== stop.signal.reason) throw error;
    fail(`Stopped by ${by}; no gate was being run.`, "stopped", EXIT_BY[by]);
    return undefined;
  } finally {
    // One that was stopped is about to end by itself.
    if (!stop.signal.aborted) for (const name of SIGNALS) process.removeListener(name, onSignal);
  }
}

/** As shells tell of a program that a signal has ended. */
const EXIT_BY = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
const SIGNALS = ["SIGHUP", "SIGINT", "SIGTERM"] as const;
