import { setImmediate as nextTurn } from "node:timers/promises";
import type { EventLog } from "../events/log.ts";
import type { Event } from "../events/types/index.ts";
import { REDACTION_TYPE } from "../events/types/redactions.ts";
import { type BoundProjection, ReducerFailure, reduce } from "./reduce.ts";

/** The target of a reduction, batch by batch. */
export interface Target {
  /** The last reduced event. */
  position(): number;
  /**
   * Reduces events with `reduceEvents`, in log order and without gaps.
   *
   * @returns false if nothing was done, because another process replaced the tables by an earlier
   * state
   */
  advance(events: readonly Event[], head: number): boolean;
  /**
   * Whether an event up to `position` was already redacted when it was reduced. Absent: unknown.
   */
  wasRedacted?(position: number): boolean;
  /** Called before each batch. @throws when only the log may still use the disk's space */
  requireRoom?(): void;
}

export interface ReduceOptions {
  /** The last event to reduce; absent: the head, even if it moves. */
  readonly until?: number | undefined;
  readonly onProgress?: OnProgress | undefined;
  /** Stops between two batches. */
  readonly signal?: AbortSignal | undefined;
}

export type OnProgress = (position: number, head: number) => void;

/**
 * Reduces a log from the target's position. Other work of the process runs between two batches.
 * Ends early if every projection has stopped.
 *
 * @throws RedactedMeanwhile: the target must be rebuilt
 */
export async function reduceLog(
  log: Pick<EventLog, "head" | "read">,
  target: Target,
  { until, onProgress, signal }: ReduceOptions = {},
): Promise<void> {
  const end = async () => until ?? (await log.head());
  let batches = 0;
  for (let head = await end(); target.position() < head; head = await end()) {
    if (batches++ > 0) await nextTurn();
    signal?.throwIfAborted();
    target.requireRoom?.();
    const position = target.position();
    const events = await log.read(position, Math.min(BATCH, head - position));
    checkRedactions(events, (at) => at <= position && target.wasRedacted?.(at) === true);
    if (target.advance(events, head)) {
      if (target.position() === position) return;
      onProgress?.(target.position(), head);
    }
  }
}

/** The garbage collector has to reclaim each page: small batches are faster. */
const BATCH = 1_000;

/** The reduced rows contain a text that was redacted after it was read. */
export class RedactedMeanwhile extends Error {}

/**
 * @param wasRedacted whether an event before these was already redacted when it was reduced
 * @throws RedactedMeanwhile: one of these events redacts a text that some row may contain
 */
export function checkRedactions(events: readonly Event[], wasRedacted: (position: number) => boolean): void {
  for (const event of events) {
    if (event.type !== REDACTION_TYPE) continue;
    const { position } = event.payload;
    const target = events.find((one) => one.position === position);
    if (target ? target.redacted === undefined : !wasRedacted(position)) throw new RedactedMeanwhile();
  }
}

/** The tables that the reducers write. */
export interface Sink {
  /** Runs a step atomically. */
  transaction(work: () => void): void;
  /** The progress within this step. */
  state(): SinkState;
  /** Called for each event before its reducers. */
  begin?(event: Event): void;
  /** True if a step must end after the current event. */
  isTimeUp?(): boolean;
  /** Records that everything up to this event is reduced. */
  moveTo(last: Event): void;
  /** Stops a projection permanently, before an event. */
  stop(failure: ReducerFailure): void;
}

export interface SinkState {
  /** Events up to this one are skipped. */
  readonly position: number;
  /** The running projections; each skips the events that it has reduced. */
  readonly live: readonly { readonly bound: BoundProjection; readonly position: number }[];
}

/** The given events start after a projection's checkpoint. */
export class ProjectionBehind extends Error {}

/**
 * Reduces events in one step, if no reducer throws. A reducer that throws is stopped before its
 * event; the others keep their rows of that event.
 *
 * @throws ProjectionBehind: nothing was done
 */
export function reduceEvents(sink: Sink, events: readonly Event[]): void {
  try {
    if (events.length > 0) sink.transaction(() => reduceStep(sink, events));
  } catch (failure) {
    if (!(failure instanceof ReducerFailure)) throw failure;
    reduceEvents(
      sink,
      events.filter(({ position }) => position < failure.event.position),
    );
    sink.stop(failure);
    reduceEvents(sink, events);
  }
}

function reduceStep(sink: Sink, events: readonly Event[]): void {
  const { position, live } = sink.state();
  const first = events[0]?.position ?? 0;
  if (live.some((one) => one.position < first - 1)) throw new ProjectionBehind();
  const byType = new Map<string, SinkState["live"]>();
  let last: Event | undefined;
  for (const event of events) {
    if (event.position <= position) continue;
    sink.begin?.(event);
    let concerned = byType.get(event.type);
    if (!concerned) {
      concerned = live.filter(({ bound }) => bound.projection.on[event.type] !== undefined);
      byType.set(event.type, concerned);
    }
    for (const one of concerned) if (event.position > one.position) reduce(one.bound, event);
    last = event;
    if (sink.isTimeUp?.()) break;
  }
  if (last) sink.moveTo(last);
}
