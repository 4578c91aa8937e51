import { type History, makeToHead, openHistory, type Project, type ReadModel } from "./core.ts";

/** The position cannot be shown yet: the log before it is still being read. */
export class StillReading extends Error {
  /** The current position, and the target. */
  readonly reading: { readonly position: number; readonly of: number };

  constructor(position: number, of: number) {
    super(`Reading events: ${position} of ${of}.`);
    this.reading = { position, of };
  }
}

/** Read models of a project at any position, for random access in time. */
export interface Past {
  /**
   * Queries the read model at a position; the read model is valid until the query ends.
   *
   * @param position from 0 to the head of the log
   * @throws StillReading
   */
  ask<Answer>(
    position: number,
    question: (readModel: ReadModel) => Answer | Promise<Answer>,
  ): Promise<Answer>;
  /** The same for another position during such a query; synchronous. @throws StillReading */
  askBeside<Answer>(position: number, question: (readModel: ReadModel) => Answer): Promise<Answer>;
  close(): Promise<void>;
}

/**
 * Does nothing before the first query. Then it builds the history up to the head in small steps, while
 * the server keeps answering and as long as queries come.
 */
export function openPast(project: Project): Past {
  return new PastOfProject(project);
}

class PastOfProject implements Past {
  readonly #project: Project;
  #history: History | undefined;
  #making: Promise<void> | undefined;
  /** Why the history could not be built the last time; reported once. */
  #fault: unknown;
  /** When the last query came, by `performance.now`. */
  #asked_ms = 0;
  #isClosed = false;

  constructor(project: Project) {
    this.#project = project;
  }

  async ask<Answer>(
    position: number,
    question: (readModel: ReadModel) => Answer | Promise<Answer>,
  ): Promise<Answer> {
    return this.#isMade(position)
      ? this.#open().during(position, question)
      : this.#reduceFor(position, question);
  }

  async askBeside<Answer>(position: number, question: (readModel: ReadModel) => Answer): Promise<Answer> {
    return this.#isMade(position)
      ? this.#open().asOf(position, question)
      : this.#reduceFor(position, question);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#making;
    this.#history?.close();
  }

  #open(): History {
    this.#history ??= openHistory(this.#project.log, this.#project.store.readModel.database.name);
    return this.#history;
  }

  #isMade(position: number): boolean {
    this.#asked_ms = performance.now();
    if (this.#fault !== undefined) {
      const fault = this.#fault;
      this.#fault = undefined;
      throw fault;
    }
    const { head } = this.#open();
    this.#making ??= this.#make().finally(() => {
      this.#making = undefined;
    });
    return position <= head;
  }

  /** Early positions are reduced directly, without waiting for the history. */
  async #reduceFor<Answer>(
    position: number,
    question: (readModel: ReadModel) => Answer | Promise<Answer>,
  ): Promise<Answer> {
    if (position > REDUCED_AT_ONCE) throw new StillReading(this.#open().head, position);
    const past = await this.#project.at(position);
    try {
      return await question(past.store.readModel);
    } finally {
      await past.close();
    }
  }

  async #make(): Promise<void> {
    try {
      for await (const _ of makeToHead(this.#open())) {
        if (this.#isClosed || performance.now() - this.#asked_ms >= ASKED_FOR_MS) return;
      }
    } catch (error) {
      this.#fault = error;
    }
  }
}

/** How long after the last query the history is still built. */
const ASKED_FOR_MS = 60_000;
/** Reducing this many events takes a fraction of a second. */
const REDUCED_AT_ONCE = 3_000;
