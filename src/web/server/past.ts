import type { Project } from "../../project/project.ts";
import type { ReadModel } from "../../projections/read-model.ts";
import { type History, openHistory } from "../../replay/time-travel/history/history.ts";
import { makeToHead } from "../../replay/time-travel/history/make-to-head.ts";

/** That a moment cannot be told of yet, since what came before it is still being read. */
export class StillReading extends Error {
  /** How far it is, and how far it has to come: positions. */
  readonly reading: { readonly position: number; readonly of: number };

  constructor(position: number, of: number) {
    super(`Reading events: ${position} of ${of}.`);
    this.reading = { position, of };
  }
}

/** The read model of a project as it was at any position, for a server that is asked of one after the other. */
export interface Past {
  /**
   * The answer of the read model as it was at a position; the read model is good until the answer is there.
   *
   * @param position from 0 to the head of the log
   * @throws StillReading
   */
  ask<Answer>(
    position: number,
    question: (readModel: ReadModel) => Answer | Promise<Answer>,
  ): Promise<Answer>;
  /** The same in the midst of such a question, of another position; answered in one call. @throws StillReading */
  askBeside<Answer>(position: number, question: (readModel: ReadModel) => Answer): Promise<Answer>;
  close(): Promise<void>;
}

/**
 * Nothing is done before the first question. Then the history is brought to the head in small turns, between which the
 * server answers, for as long as somebody asks.
 */
export function openPast(project: Project): Past {
  return new PastOfProject(project);
}

class PastOfProject implements Past {
  readonly #project: Project;
  #history: History | undefined;
  #making: Promise<void> | undefined;
  /** Why the history could not be made the last time; told once. */
  #fault: unknown;
  /** When somebody asked last, on the clock of `performance.now`. */
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

  /** Of a short log the moment is reduced at once, and whoever asks need not wait for the history. */
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

/** So long after the last question the history is made further. */
const ASKED_FOR_MS = 60_000;
/** Reducing so many events takes a fraction of a second. */
const REDUCED_AT_ONCE = 3_000;
