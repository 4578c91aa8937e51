import type { Event } from "../../events/types/index.ts";
import type { Board } from "../../projections/board/tables.ts";
import { whyImpossible } from "./possible.ts";
import type { Both, Departure, Standing } from "./report.ts";

/**
 * Which events the other world would not have had. The first of a task is one that could be done as things were and
 * could not be done there, such as the start of a session on a task that has failed. From there on the task's history
 * would have been another one, which nobody knows: all that is said of it later is left out.
 */
export class Departures {
  readonly #ofTasks = new Map<number, Mutable<Departure>>();
  readonly #wouldBe = new Map<number, Standing | null>();
  readonly #sessions = new Set<string>();

  /** Where the task's history departs; undefined where it does not. */
  of(task: number): Departure | undefined {
    return this.#ofTasks.get(task);
  }

  /** What the task would be, as of where its history departs; undefined where it does not. */
  wouldBeThen(task: number): Standing | null | undefined {
    return this.#wouldBe.get(task);
  }

  /** True for an event that the other world does without. To be asked once for each event, before it is reduced. */
  leavesOut(was: Board, wouldBe: Board, event: Event): boolean {
    const session = sessionOf(event);
    const task = taskOf(was, event, session);
    if (task === undefined) return false;
    const departure = this.#ofTasks.get(task) ?? this.#departureAt(was, wouldBe, event, task);
    if (departure) this.#count(departure, wouldBe, session);
    // A session that is not there may have spoken of another task by mistake.
    return departure !== undefined || (session !== undefined && this.#sessions.has(session));
  }

  /**
   * Tasks that an event which was left out had changed, beside its own, such as those that depend on it: what would have
   * become of them is not known from there on either.
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
    const departure = {
      position,
      event: type,
      why,
      was: standingOf(was, task),
      left_out: { events: 0, sessions: 0 },
    };
    this.#ofTasks.set(task, departure);
    this.#wouldBe.set(task, standingOf(would_be, task));
    return departure;
  }

  #count(departure: Mutable<Departure>, { sessions }: Board, session: string | undefined): void {
    const isNew = session !== undefined && !this.#sessions.has(session) && !sessions.get(session);
    if (isNew) this.#sessions.add(session);
    const { left_out } = departure;
    departure.left_out = {
      events: left_out.events + 1,
      sessions: left_out.sessions + (isNew ? 1 : 0),
    };
  }
}

/** How a task stands on a board; null where it is not there. */
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
  return session === undefined ? undefined : sessions.get(session)?.task_id;
}
