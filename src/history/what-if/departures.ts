import type { Event } from "../../events/types/index.ts";
import type { Board } from "../../projections/board/tables.ts";
import { whyImpossible } from "./possible.ts";
import type { Both, Departure, Standing } from "./report.ts";
import { SavedCounter } from "./saved.ts";

/**
 * Finds the events that could not have happened in the other world. A task's first such event was
 * possible in the recorded world and is not in the other, such as the start of a session on a
 * failed task. From there on the task's history would have been different and is unknown: all of
 * its later events are left out.
 */
export class Departures {
  readonly #ofTasks = new Map<number, Mutable<Departure>>();
  readonly #wouldBe = new Map<number, Standing | null>();
  readonly #sessions = new Set<string>();
  readonly #saved = new Map<Departure, SavedCounter>();

  /** The first such event of the task; undefined if there is none. */
  of(task: number): Departure | undefined {
    return this.#ofTasks.get(task);
  }

  /** The task's state just before that event; undefined if there is none. */
  wouldBeThen(task: number): Standing | null | undefined {
    return this.#wouldBe.get(task);
  }

  /**
   * True for an event that the other world leaves out. Call it once for each event, before reducing
   * it.
   */
  leavesOut(was: Board, wouldBe: Board, event: Event): boolean {
    const session = sessionOf(event);
    const task = taskOf(was, event, session);
    if (task === undefined) return false;
    const departure = this.#ofTasks.get(task) ?? this.#departureAt(was, wouldBe, event, task);
    if (departure) this.#count(departure, wouldBe, session, event);
    // A session that is missing in the other world may have named another task by mistake.
    return departure !== undefined || (session !== undefined && this.#sessions.has(session));
  }

  /**
   * Other tasks that a left-out event had changed, such as dependents: their state is unknown from
   * there on too.
   */
  spread(boards: Both<Board>, event: Event, tasks: readonly number[]): void {
    const from = taskOf(boards.was, event, sessionOf(event));
    for (const task of tasks) {
      if (this.#ofTasks.has(task)) continue;
      const why = `it follows from task ${from}, whose history would differ`;
      this.#depart(boards, event, task, why);
    }
  }

  #departureAt(was: Board, wouldBe: Board, event: Event, task: number): Mutable<Departure> | undefined {
    const why = whyImpossible(wouldBe, event);
    if (why === undefined || whyImpossible(was, event) !== undefined) return undefined;
    return this.#depart({ was, would_be: wouldBe }, event, task, why);
  }

  #depart(
    { was, would_be }: Both<Board>,
    { position, type }: Event,
    task: number,
    why: string,
  ): Mutable<Departure> {
    const counter = new SavedCounter();
    const departure = {
      position,
      event: type,
      why,
      was: standingOf(was, task),
      left_out: { events: 0, sessions: 0 },
      // Summed when it is asked for, not at each event.
      get saved() {
        return counter.saved;
      },
    };
    this.#saved.set(departure, counter);
    this.#ofTasks.set(task, departure);
    this.#wouldBe.set(task, standingOf(would_be, task));
    return departure;
  }

  #count(
    departure: Mutable<Departure>,
    { sessions }: Board,
    session: string | undefined,
    event: Event,
  ): void {
    const isNew = session !== undefined && !this.#sessions.has(session) && !sessions.get(session);
    if (isNew) this.#sessions.add(session);
    if (session !== undefined && this.#sessions.has(session))
      this.#saved.get(departure)?.count(session, event);
    const { left_out } = departure;
    departure.left_out = {
      events: left_out.events + 1,
      sessions: left_out.sessions + (isNew ? 1 : 0),
    };
  }
}

/** A task's state on a board; null if it is not there. */
export function standingOf({ tasks }: Board, id: number): Standing | null {
  const task = tasks.get(id);
  return task ? { status: task.status, stuck_count: task.stuck_count } : null;
}

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };

function sessionOf({ payload }: Event): string | undefined {
  return "session" in payload ? payload.session : undefined;
}

function taskOf({ sessions }: Board, { payload }: Event, session: string | undefined): number | undefined {
  if ("task" in payload && payload.task !== undefined) return payload.task;
  return session === undefined ? undefined : (sessions.get(session)?.task_id ?? undefined);
}
