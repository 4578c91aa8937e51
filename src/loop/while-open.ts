import { filter, map, merge, Subject, take, takeUntil, timer } from "rxjs";
import { Refusal } from "../decisions/refusal.ts";
import { RunnerError } from "../gates/runner/runner-error.ts";
import type { Stop } from "./agent/verdict.ts";
import type { Claim } from "./claim.ts";
import type { Surroundings } from "./surroundings.ts";

/**
 * Runs gates of a session whose agent does not run: as long as the loop goes on and nobody else ends the session, and no longer than
 * a session may take.
 *
 * @returns what ended it, if that was the loop's end, or the session's
 */
export async function whileOpen(
  claim: Claim,
  surroundings: Surroundings,
  run: (signal: AbortSignal) => Promise<void>,
): Promise<Stop | "taken" | undefined> {
  const giveUp = new AbortController();
  const over = new Subject<void>();
  let stopped: Stop | "taken" | undefined;
  endings(claim, surroundings)
    .pipe(take(1), takeUntil(over))
    .subscribe((ending) => {
      if (ending !== "time") stopped = ending;
      giveUp.abort();
    });
  try {
    await run(giveUp.signal);
  } finally {
    over.next();
  }
  return stopped;
}

function endings({ session, position }: Claim, { project, config, cancel }: Surroundings) {
  return merge(
    cancel,
    timer(config.limits.session_s * 1_000).pipe(map(() => "time" as const)),
    project.follow(position).pipe(
      filter(({ type, correlation }) => type === "session.ended" && correlation === session),
      map(() => "taken" as const),
    ),
  );
}

/** Errors that only mean that gates cannot run, including system errors of a folder or lock. */
export function isOfGates(error: unknown): error is Error {
  return (
    error instanceof RunnerError || error instanceof Refusal || (error instanceof Error && "syscall" in error)
  );
}
