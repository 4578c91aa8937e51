import { setTimeout as delay } from "node:timers/promises";
import { AGENT_CLIENT } from "../events/actors.ts";
import type { NewEvent, Via } from "../events/event.ts";
import type { AppendCondition, Appended } from "../events/log.ts";
import type { Draft, Event, EventType } from "../events/types/index.ts";
import { idFromKey } from "../lib/ids.ts";
import { LogError } from "../lib/log-error.ts";
import { isOurs } from "../read-model/own.ts";
import { ReadModelError } from "../read-model/read-model-error.ts";
import { catchUp } from "../read-model/worker.ts";
import { requireOutsideGates } from "./outside-gates.ts";
import { recording } from "./reads.ts";
import { Refusal } from "./refusal.ts";
import { type State, stateOf } from "./state.ts";
import type { Store } from "./store.ts";

/**
 * A request of a driver or a human. `plan` is pure: it reads the state at the head of the log and
 * returns the decision's events, or throws a Refusal.
 */
export interface Decision<First extends EventType = EventType> {
  /** The type of its first event. */
  readonly type: First;
  /** Other possible types of that event, if the state decides. */
  readonly or?: readonly First[];
  /** Other possible types of it where an agent decides in its session: no program that decides by itself meets them. */
  readonly inSession?: readonly EventType[];
  /** The whole request; compared when its key is used again. */
  readonly input: object;
  /** Who may decide it, if not everyone. @throws Refusal: not this actor */
  permit?(state: State, actor: string, isOwn: IsOwn): void;
  /**
   * At least one event; the first has one of its types.
   *
   * @param session the one during which it is made
   */
  plan(state: State, session?: string): readonly PlannedEvent[];
}

/** Whether a session is one in which the actor works. */
export type IsOwn = (session: string) => boolean;

/** The stored events of a decision: its main event first. */
export type Decided<First extends EventType = EventType> = readonly [Event<First>, ...(readonly Event[])];

export type PlannedEvent<Type extends EventType = EventType> = {
  [T in Type]: Omit<Draft<T>, "id" | "actor" | "causation">;
}[Type];

export interface DecisionOptions {
  /** The deciding actor, from the launch configuration. */
  readonly actor: string;
  /** How it came, if a human takes it. */
  readonly via?: Via | undefined;
  /** The caller's own key: a decision repeated under it gets the first answer. */
  readonly key?: string | undefined;
  /** The session during which it is made. */
  readonly correlation?: string | undefined;
  /** Absent: no session is. */
  readonly isOwn?: IsOwn;
}

/**
 * Makes a decision: brings the read model to the head, plans there, and appends on condition that
 * nothing came meanwhile that can change what the plan has read (reads.ts); else it starts over.
 * Returns the stored events, which the read model then shows.
 *
 * @throws Refusal: nothing was recorded
 * @throws LogError `invalid_event`: a field violates its schema
 */
export async function decide<First extends EventType>(
  store: Store,
  decision: Decision<First>,
  options: DecisionOptions,
): Promise<Decided<First>> {
  const { log, readModel, environment } = store;
  // Counted from the first conflict: waiting before that is not contention.
  let end_ms = Number.POSITIVE_INFINITY;
  for (let attempt = 1; environment.elapsed_ms() < end_ms; attempt++) {
    const before = options.key === undefined ? undefined : await decidedBefore(store, decision, options.key);
    if (before) return decided(before, decision);
    await catchUp(readModel, log);
    const { unless, planned } = readModel.snapshot(() => {
      checkLive(store);
      requireOutsideGates(readModel);
      // No later event could be checked here.
      readModel.requireRoom();
      const { state, read } = recording(stateOf(readModel));
      if (options.actor === AGENT_CLIENT && decision.type !== "question.answered")
        throw new Refusal("not_possible", "An agent's client can only answer questions. Decide it yourself.");
      decision.permit?.(state, options.actor, options.isOwn ?? (() => false));
      const planned = plannedBy(decision, state, options.correlation);
      return { unless: { after: readModel.position(), tags: [...read] }, planned };
    });
    const drafts = planned.map((event, index) => ({
      ...(options.correlation !== undefined && { correlation: options.correlation }),
      ...event,
      actor: options.actor,
      ...(options.via && { via: options.via }),
      ...(options.key !== undefined && {
        id: idFromKey(options.key, String(index)),
        causation: commandId(decision),
      }),
    }));
    const appended = await appendUnlessMoved(store, drafts, unless);
    if (appended) {
      await catchUp(readModel, log);
      return decided(appended.events, decision);
    }
    if (attempt === 1) end_ms = environment.elapsed_ms() + LIMIT_MS;
    await delay(environment.jitter() * Math.min(attempt, 10));
  }
  throw new Refusal("contention", `The log kept changing for ${LIMIT_MS / 1_000} seconds; try again.`);
}

const LIMIT_MS = 10_000;

/** The planned events of a decision. @throws Error: the first has another type */
function plannedBy(
  { type, or = [], inSession = [], plan }: Decision,
  state: State,
  session: string | undefined,
): readonly PlannedEvent[] {
  const planned = plan(state, session);
  const [first] = planned;
  if (first && [type, ...or, ...(session === undefined ? [] : inSession)].includes(first.type))
    return planned;
  throw new Error(`The first event of the decision ${type} is ${first?.type}. Correct its \`plan\`.`);
}

/**
 * The stored events are the planned ones, so the first has the decision's type. The log's types do
 * not say so.
 */
function decided<First extends EventType>(events: readonly Event[], _of: Decision<First>): Decided<First> {
  return events as unknown as Decided<First>;
}

/** The events of a decision already made under this key, if any. @throws LogError `id_conflict` */
async function decidedBefore(store: Store, decision: Decision, key: string): Promise<Event[] | undefined> {
  const events: Event[] = [];
  for (;;) {
    const event = await store.log.find(idFromKey(key, String(events.length)));
    if (!event) break;
    events.push(event);
  }
  const [first] = events;
  if (!first) return undefined;
  if (first.causation !== commandId(decision)) {
    throw new LogError(
      "id_conflict",
      `The key "${key}" was already used for another decision, at position ${first.position}. A new ` +
        "decision needs a new key.",
    );
  }
  await catchUp(store.readModel, store.log);
  return events;
}

/** The causation of a keyed decision's events: a hash of the whole request. */
function commandId({ type, input }: Decision): string {
  return idFromKey("command", type, JSON.stringify(input));
}

async function appendUnlessMoved(
  { log }: Store,
  drafts: readonly NewEvent[],
  unless: NonNullable<AppendCondition["unless"]>,
): Promise<Appended | undefined> {
  try {
    return await log.append(drafts, { unless });
  } catch (error) {
    // A taken id belongs to the same key, used twice at once: the next check finds the decision.
    const again = error instanceof LogError && (error.code === "moved" || error.code === "id_conflict");
    if (again) return undefined;
    throw error;
  }
}

/** Decisions read our tables alone: an own projection that stopped is refused where it is read. */
function checkLive({ readModel }: Store): void {
  const stopped = readModel.checkpoints.stopped().find(({ name }) => isOurs(name));
  if (stopped) {
    throw new ReadModelError(
      "stopped",
      `Projection "${stopped.name}" stopped at ${stopped.error}. No decision can be checked until it ` +
        "runs again: update signalbox, then run `signalbox rebuild`.",
    );
  }
}
