import type { Bytes } from "./bytes.ts";
import type { Microseconds } from "./time.ts";

/**
 * Everything that is not in the log and not in a call comes in through here: time, ids and randomness.
 * A replay passes a fixed one, so that the same calls give the same log to the byte (issue "corpus").
 */
export interface Environment {
  /** The present, in microseconds. It may jump or stand still; the log keeps `recordedAt` increasing. */
  now(): Microseconds;
  /** A new event id: a lower-case UUID, ordered by time where the environment can. */
  newId(): string;
  /** 16 unpredictable bytes that hide an event's payload behind its leaf hash. */
  newSalt(eventId: string): Bytes;
  /** Milliseconds on a clock that never goes back, of whatever beginning; for how long something has waited only. */
  elapsed_ms(): number;
  /** A random number from 0 (inclusive) to 1 (exclusive), for waiting times only. */
  jitter(): number;
}
