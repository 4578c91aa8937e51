import { existsSync } from "node:fs";
import Database from "better-sqlite3";
import { Refusal } from "../../../decisions/refusal.ts";
import type { EventLog } from "../../../events/log.ts";
import type { Event } from "../../../events/types/index.ts";
import { turns } from "../../../lib/turns.ts";
import { RedactedMeanwhile } from "../../../read-model/engine.ts";
import type { ReadModel } from "../../../read-model/read-model.ts";
import { isDamage } from "./damage.ts";
import { findHistoryFile, type HistoryFile, removeHistoryFile } from "./history-file.ts";
import { Making } from "./making.ts";
import { PastReadModel } from "./past-read-model.ts";

/**
 * The read model after each event, in one file, for random access in time. A cache:
 * `.ralph/history` can be deleted at any time.
 */
export interface History {
  /** The last event that it covers; it can shrink when the history has to be rebuilt. */
  readonly head: number;
  /** False if only this process uses it, because the project's folder is not writable. */
  readonly isKept: boolean;
  /** Builds it for one turn, in this thread. Does nothing while another process builds it. */
  advance(turn?: Turn): Promise<Progress>;
  /**
   * Answers from the read model after an event, exactly as a fresh reduction of the log up to there
   * would.
   *
   * @param position from 0 to `head`
   * @param question any query of the read model, which is valid only during this call
   * @throws Refusal `not_possible`: the history does not go that far yet
   */
  asOf<Answer>(position: number, question: (readModel: ReadModel) => Answer): Answer;
  /**
   * The same for an async question, for example one that reads the log: the read model is valid
   * until its answer is there. Such questions run one at a time; meanwhile `asOf` can be asked
   * about other positions.
   *
   * @throws Refusal `not_possible`: the history does not go that far yet, or was removed meanwhile
   */
  during<Answer>(
    position: number,
    question: (readModel: ReadModel) => Answer | Promise<Answer>,
  ): Promise<Answer>;
  close(): void;
}

/** Limits of one turn. */
export interface Turn {
  /** Approximate time in milliseconds, 20 by default. At least one event is reduced. */
  readonly max_ms?: number;
  readonly max_events?: number;
}

export interface Progress {
  /** The last event that it covers. */
  readonly position: number;
  /** The log's head. */
  readonly head: number;
}

/**
 * The history of a project, with all events added so far.
 *
 * @param readModelPath `.ralph/db/ralph.db`, or `:memory:`; the history is in `.ralph/history`
 */
export function openHistory(log: EventLog, readModelPath: string): History {
  return new HistoryInFile(log, readModelPath);
}

/** A file, open for building and for reading. */
interface Opened {
  readonly file: HistoryFile;
  readonly making: Making;
  readonly past: PastReadModel;
  /** For async questions. */
  readonly held: PastReadModel;
}

class HistoryInFile implements History {
  readonly #log: EventLog;
  readonly #readModelPath: string;
  /** The latest file, open or not. */
  #file: HistoryFile | undefined;
  #opened: Opened | undefined;
  /** How many events the next turn reads; reading more than it reduces is wasteful. */
  #page = SMALLEST_PAGE;
  /** Answers the questions of `during` one at a time. */
  readonly #inTurn = turns();

  constructor(log: EventLog, readModelPath: string) {
    this.#log = log;
    this.#readModelPath = readModelPath;
  }

  get head(): number {
    return this.#inFile(({ making }) => making.position());
  }

  get isKept(): boolean {
    return this.#inFile(({ file }) => !file.isTemporary);
  }

  async advance({ max_ms = TURN_MS, max_events = LARGEST_PAGE }: Turn = {}): Promise<Progress> {
    const end_ms = performance.now() + max_ms;
    const opened = this.#inFile((file) => file);
    const from = this.head;
    const head = await this.#log.head();
    // Longer than the log: it belongs to another log, or is damaged.
    if (from > head) return { position: this.#startAnew(), head };
    // Including its last event, which tells the logs apart.
    const events = await this.#log.read(Math.max(from - 1, 0), Math.min(this.#page, max_events) + 1);
    const position = this.#inFile((now) => {
      const { making } = now;
      // It was removed meanwhile, perhaps because of a redaction: the events that were read may
      // contain the removed text.
      if (now !== opened) return making.position();
      const [last] = events;
      if (from > 0 && last?.leafHash !== making.leafHashAt(from)) return this.#startAnew();
      return this.#reduce(making, from > 0 ? events.slice(1) : events, end_ms);
    });
    const done = position - from;
    this.#page = Math.min(Math.max(done >= this.#page ? done * 2 : done + 1, SMALLEST_PAGE), LARGEST_PAGE);
    return { position, head };
  }

  asOf<Answer>(position: number, question: (readModel: ReadModel) => Answer): Answer {
    return this.#inFile(({ making, past }) => {
      checkMade(position, making.position());
      return past.asOf(position, question);
    });
  }

  during<Answer>(
    position: number,
    question: (readModel: ReadModel) => Answer | Promise<Answer>,
  ): Promise<Answer> {
    return this.#inTurn(() => this.#hold(position, question));
  }

  async #hold<Answer>(
    position: number,
    question: (readModel: ReadModel) => Answer | Promise<Answer>,
  ): Promise<Answer> {
    const opened = this.#inFile((file) => {
      checkMade(position, file.making.position());
      return file;
    });
    try {
      return await opened.held.during(position, question);
    } catch (error) {
      // Its file was removed during the question, and the read model that it asks is closed.
      if (opened !== this.#opened) throw notMade(position, this.head);
      if (isDamage(error)) throw notMade(position, this.#startAnew());
      throw error;
    }
  }

  close(): void {
    this.#opened?.making.close();
    this.#opened?.past.close();
    this.#opened?.held.close();
    this.#opened = undefined;
    if (this.#file?.isTemporary) removeHistoryFile(this.#file);
  }

  /** @returns the last event covered afterwards */
  #reduce(making: Making, events: readonly Event[], end_ms: number): number {
    try {
      making.reduce(events, end_ms);
    } catch (error) {
      if (error instanceof RedactedMeanwhile) return this.#startAnew();
      if (!isBusy(error)) throw error;
    }
    return making.position();
  }

  /**
   * Opens the current file: the old one may have been removed because of a redaction. Recreates a
   * damaged one.
   */
  #inFile<T>(work: (opened: Opened) => T): T {
    try {
      return work(this.#open());
    } catch (error) {
      if (!isDamage(error)) throw error;
      this.#startAnew();
      return work(this.#open());
    }
  }

  #open(): Opened {
    if (this.#opened && existsSync(this.#opened.file.path)) return this.#opened;
    this.close();
    this.#file = findHistoryFile(this.#readModelPath);
    const making = new Making(this.#file.path);
    const { path } = this.#file;
    this.#opened = { file: this.#file, making, past: new PastReadModel(path), held: new PastReadModel(path) };
    return this.#opened;
  }

  /** @returns the last event covered afterwards */
  #startAnew(): 0 {
    const file = this.#file;
    this.close();
    if (file) removeHistoryFile(file);
    return 0;
  }
}

const TURN_MS = 20;
const SMALLEST_PAGE = 16;
const LARGEST_PAGE = 1_000;

/** @throws Refusal `not_possible` */
function checkMade(position: number, head: number): void {
  if (!Number.isSafeInteger(position) || position < 0 || position > head) throw notMade(position, head);
}

function notMade(position: number, head: number): Refusal {
  return new Refusal(
    "not_possible",
    `The history is built up to position ${head}, so it cannot show ${position}. Name a position from 0 to ${head}, or wait until more is built.`,
  );
}

/** Another process is making it. */
export function isBusy(error: unknown): boolean {
  return error instanceof Database.SqliteError && /^SQLITE_(BUSY|LOCKED)/.test(error.code);
}
