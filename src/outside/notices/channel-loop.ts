import { type BehaviorSubject, filter, firstValueFrom, race, take, takeUntil, timer } from "rxjs";
import { abortOf } from "../../lib/abort-of.ts";
import { errorMessage } from "../../lib/error-message.ts";
import type { ChannelError } from "./channel.ts";
import type { Turn } from "./told-channel.ts";

/** What has come that a channel should look at, as counters. */
export interface Wakes {
  /** Events that may bring something to tell. */
  readonly news: BehaviorSubject<number>;
  /** Somebody asked to try again. */
  readonly retried: BehaviorSubject<number>;
}

interface Loop {
  /** Opens the channel. @returns what tells it once what is due */
  open(): Promise<(signal: AbortSignal) => Promise<Turn>>;
  readonly wakes: Wakes;
  /** Is told what is wrong; undefined: nothing is. */
  tell(problem: string | undefined): void;
  /** Is told of which news all was told that can be told now, or that the channel fails. */
  looked(news: number): void;
  /** A random number from 0 to 1. */
  jitter(): number;
  readonly signal: AbortSignal;
}

/** Tells a channel what is due, for as long as it is wanted. While the channel takes nothing, it is tried ever more rarely. */
export async function keepTelling({ open, wakes, tell, looked, jitter, signal }: Loop): Promise<void> {
  let turn: Awaited<ReturnType<Loop["open"]>> | undefined;
  let failures = 0;
  while (!signal.aborted) {
    const seen = { news: wakes.news.value, retried: wakes.retried.value };
    const begin_ms = performance.now();
    let wait_ms: number;
    let failure: ChannelError | undefined;
    try {
      turn ??= await open();
      const end = await turn(signal);
      failure = end.failure;
      // One bad message among others is no sign that the channel fails.
      failures = failure ? (end.sent > 0 ? 1 : failures + 1) : 0;
      wait_ms = failure ? backoff(failures, failure, jitter()) : Math.min(end.again_ms ?? MOST_MS, MOST_MS);
      tell(failure?.message);
      if (failure || end.again_ms !== 0) looked(seen.news);
    } catch (error) {
      if (signal.aborted) return;
      tell(errorMessage(error));
      looked(seen.news);
      wait_ms = PAUSE_MS;
    }
    // Many that wait make a look longer: it must not take the time of those who append.
    const rest_ms = Math.min(Math.max(50, (performance.now() - begin_ms) * 20), LONGEST_REST_MS);
    await pause(Math.min(rest_ms, wait_ms), signal);
    const woken = failure
      ? wakes.retried.pipe(filter((now) => now > seen.retried))
      : wakes.news.pipe(filter((now) => now > seen.news));
    await firstValueFrom(
      race(woken, timer(Math.max(0, wait_ms - rest_ms))).pipe(take(1), takeUntil(abortOf(signal))),
      { defaultValue: undefined },
    );
  }
}

const MOST_MS = 3_600_000;
const PAUSE_MS = 10_000;
const LONGEST_REST_MS = 1_000;
const FIRST_BACKOFF_MS = 2_000;
const LONGEST_BACKOFF_MS = 15 * 60_000;

/** How long a channel is left alone, in milliseconds; longer where it asks for that. */
function backoff(failures: number, { retryAfter_s = 0 }: ChannelError, jitter: number): number {
  const doubled = Math.min(FIRST_BACKOFF_MS * 2 ** Math.min(failures - 1, 20), LONGEST_BACKOFF_MS);
  return Math.max(doubled * (0.75 + jitter / 2), retryAfter_s * 1_000);
}

function pause(wait_ms: number, signal: AbortSignal): Promise<unknown> {
  return firstValueFrom(timer(wait_ms).pipe(takeUntil(abortOf(signal))), { defaultValue: undefined });
}
