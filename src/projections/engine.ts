import { setImmediate as nextTurn } from "node:timers/promises";
import type { EventLog } from "../events/log.ts";
import type { Event } from "../events/types/index.ts";
import { REDACTION_TYPE } from "../events/types/redactions.ts";
import { type BoundProjection, ReducerFailure, reduce } from "./reduce.ts";

/** What a log is reduced into, batch by batch. */
export interface Target {
  /** The last event that was reduced. */
  position(): number;
  /**
   * Reduces events, in log order and without gaps, by `reduceEvents`.
   *
   * @returns false if nothing was done, as another process has put an earlier state in its place
   */
  advance(events: readonly Event[], head: number): boolean;
  /** Whether an event up to `position` was redacted already when it was reduced. Absent: nobody knows. */
  wasRedacted?(position: number): boolean;
  /** Called before each batch. @throws where the disk's room is left to the log */
  requireRoom?(): void;
}

export interface ReduceOptions {
  /** Where it ends; absent: at the head, also where that moves. */
  readonly until?: number | undefined;
  readonly onProgress?: OnProgress | undefined;
  /** Ends it between two batches. */
  readonly signal?: AbortSignal | undefined;
}

export type OnProgress = (position: number, head: number) => void;

/**
 * Reduces a log from where the target is. What else the process does goes on between two batches. Ends early where every
 * projection is stopped.
 *
 * @throws RedactedMeanwhile: the target has to be made anew
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

/** What is read in one go has to be collected by the garbage collector again: small batches are faster. */
const BATCH = 1_000;

/** What was reduced holds a text that was removed from the log since it was read. */
export class RedactedMeanwhile extends Error {}

/**
 * @param wasRedacted whether an event before these was redacted already when it was reduced
 * @throws RedactedMeanwhile: a redaction among these events removes texts that are in the rows, and may be anywhere there
 */
export function checkRedactions(events: readonly Event[], wasRedacted: (position: number) => boolean): void {
  for (const event of events) {
    if (event.type !== REDACTION_TYPE) continue;
    const { position } = event.payload;
    const target = events.find((one) => one.position === position);
    if (target ? target.redacted === undefined : !wasRedacted(position)) throw new RedactedMeanwhile();
  }
}

/** Where the reducers write. */
export interface Sink {
  /** Does all of a step, or nothing. */
  transaction(work: () => void): void;
  /** How far it is in this step. */
  state(): SinkState;
  /** Called for each event before the reducers see it. */
  begin?(event: Event): void;
  /** True where a step has to end after the present event. */
  isTimeUp?(): boolean;
  /** Everything up to this event is reduced. */
  moveTo(last: Event): void;
  /** Stops a projection for good, before an event. */
  stop(failure: ReducerFailure): void;
}

export interface SinkState {
  /** Events up to this one are passed over. */
  readonly position: number;
  /** The projections that go on; each passes over what it has reduced. */
  readonly live: readonly { readonly bound: BoundProjection; readonly position: number }[];
}

/** The events given begin after where a projection is. */
export class ProjectionBehind extends Error {}

/**
 * Reduces events, in one step if no reducer throws. One that does is stopped before its event, and no other: what they make
 * of that event stands.
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
