import type { Bytes } from "./bytes.ts";
import type { Microseconds } from "./time.ts";

/**
 * Time, ids and randomness: the only inputs besides the log and the call itself.
 * A replay passes a fixed environment, so that the same calls give the same log, byte for byte.
 */
export interface Environment {
  /**
   * The time now, in microseconds. It may jump or stand still; the log keeps `recordedAt`
   * increasing.
   */
  now(): Microseconds;
  /** A new event id: a lower-case UUID, ordered by time where the environment can. */
  newId(): string;
  /** 16 unpredictable bytes that hide an event's payload behind its leaf hash. */
  newSalt(eventId: string): Bytes;
  /** Milliseconds on a monotonic clock with an arbitrary start; only for measuring waits. */
  elapsed_ms(): number;
  /** A random number from 0 (inclusive) to 1 (exclusive); only for retry delays. */
  jitter(): number;
}
