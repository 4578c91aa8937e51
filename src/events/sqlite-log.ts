import { setImmediate as nextTurn } from "node:timers/promises";
import { firstValueFrom, merge, Observable, Subject, takeUntil } from "rxjs";
import { planAppend, prepareAppend } from "./append.ts";
import { decodeEvent } from "./encoding.ts";
import type { Environment } from "./environment.ts";
import type { EventRecord } from "./event-record.ts";
import { watchForCommits } from "./file-watch.ts";
import { isEventId } from "./ids.ts";
import { payloadHash } from "./leaf-hash.ts";
import { type Appended, type EventLog, pageSize } from "./log.ts";
import { LogError } from "./log-error.ts";
import { pauseAfter } from "./pause.ts";
import { checkRecords, planRestore } from "./restore.ts";
import { asLogError, checkLogPath, openForWriting } from "./sqlite-file.ts";
import { checkpoint, closeQuietly, isWhole, openReader } from "./sqlite-handles.ts";
import { type FilesInPlace, filesInPlace, takenError } from "./sqlite-in-place.ts";
import { type LogReader, type LogWriter, prepareWriter } from "./sqlite-records.ts";
import type { Event } from "./types/index.ts";
import type { Waiting } from "./waiting.ts";

/**
 * The embedded event log: one SQLite file, any number of processes. The file must exist (`createLogFile`).
 *
 * Appends that wait in this process share one transaction and one fsync (group commit): they are gathered until the
 * present turn of the event loop is over, never longer.
 *
 * @param busyLimit_ms how long an append tries to get its turn among other processes
 * @throws LogError `disk`, `damaged`, `newer_schema`
 */
export function openSqliteLog(path: string, environment: Environment, busyLimit_ms = 10_000): EventLog {
  return new SqliteLog(path, environment, busyLimit_ms);
}

const PAGE = 1_000;

class SqliteLog implements EventLog {
  readonly #path: string;
  readonly #environment: Environment;
  /** The files that were opened; undefined while no handle is open. */
  #files: FilesInPlace | undefined;
  /** Set when one of them was taken away: from then on nothing is recorded, and nothing read. */
  #taken: LogError | undefined;
  /** The first and the last position that this log has acknowledged. */
  #acknowledged: readonly [first: number, last: number] | undefined;
  readonly #busyLimit_ms: number;
  /** Closed after a failure of the disk, opened again when it is needed. */
  #reader: LogReader | undefined;
  /** Opened at the first append, closed after a failure of the disk. */
  #writer: LogWriter | undefined;
  #waiting: Waiting[] = [];
  /** True from the first call that waits until every call is answered. */
  #isFlushing = false;
  #closing = false;
  /** What was found when reading: a log that is damaged is not written to. */
  #damage: LogError | undefined;
  readonly #appends = new Subject<void>();
  readonly #flushed = new Subject<void>();
  readonly #closed = new Subject<void>();
  readonly #commitsElsewhere: Observable<unknown>;

  constructor(path: string, environment: Environment, busyLimit_ms: number) {
    checkLogPath(path);
    this.#path = path;
    this.#environment = environment;
    this.#busyLimit_ms = busyLimit_ms;
    this.#openReader();
    this.#commitsElsewhere = watchForCommits(path);
  }

  get path(): string {
    return this.#path;
  }

  append(...[events, condition = {}]: Parameters<EventLog["append"]>): Promise<Appended> {
    return new Promise((resolve, reject) => {
      this.#checkWritable();
      const request = prepareAppend(events, condition, this.#environment);
      this.#write({
        first: request.events[0]?.id,
        plan: (state, anyMayBeThere) => {
          const events = anyMayBeThere
            ? request.events.map((event) => ({ ...event, isNewId: false }))
            : request.events;
          const { insert, appended } = planAppend({ ...request, events }, state, this.#environment);
          return { insert, answer: () => resolve(appended) };
        },
        reject,
      });
    });
  }

  restore(records: readonly EventRecord[]): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#checkWritable();
      checkRecords(records);
      this.#write({
        first: records[0]?.id,
        plan: (state) => {
          const insert = planRestore(records, state);
          return { insert, answer: () => resolve(insert.length) };
        },
        reject,
      });
    });
  }

  async read(after: number, limit: number): Promise<readonly Event[]> {
    return this.#look((reader) => reader.events(after, pageSize(limit)));
  }

  async readStream(stream: string, afterVersion: number, limit: number): Promise<readonly Event[]> {
    return this.#look((reader) => reader.streamEvents(stream, afterVersion, pageSize(limit)));
  }

  async positionsIn(streams: readonly string[], from: number, to: number): Promise<readonly number[]> {
    return this.#look((reader) => reader.positionsIn(streams, from, to));
  }

  async find(id: string): Promise<Event | undefined> {
    return this.#look((reader) => {
      const record = isEventId(id) ? reader.find(id) : undefined;
      return record && decodeEvent(record);
    });
  }

  async payloadHash(position: number): Promise<string | undefined> {
    return this.#look((reader) => {
      const record = reader.at(position);
      return record && payloadHash(record).toString("hex");
    });
  }

  async head(): Promise<number> {
    this.#checkInPlace();
    return this.#look((reader) => reader.head());
  }

  async streamVersion(stream: string): Promise<number> {
    return this.#look((reader) => reader.streamVersion(stream));
  }

  follow(after: number): Observable<readonly Event[]> {
    return new Observable<readonly Event[]>((subscriber) => {
      let seen = after;
      let pumping = false;
      let again = false;
      const pump = async () => {
        again = true;
        if (pumping) return;
        pumping = true;
        try {
          while (again && !subscriber.closed) {
            again = false;
            this.#checkInPlace();
            const events = await this.read(seen, PAGE);
            if (events.length === 0) continue;
            seen += events.length;
            again = true;
            subscriber.next(events);
            if (events.length === PAGE) await nextTurn();
          }
        } catch (error) {
          if (!this.#closing) subscriber.error(error);
        } finally {
          pumping = false;
        }
      };
      const wakes = merge(this.#appends, this.#commitsElsewhere).pipe(takeUntil(this.#closed));
      const subscription = wakes.subscribe({ next: pump, complete: () => subscriber.complete() });
      if (this.#closing) subscriber.complete();
      else void pump();
      return subscription;
    });
  }

  async close(): Promise<void> {
    this.#closing = true;
    if (this.#isFlushing) await firstValueFrom(this.#flushed);
    this.#closed.next();
    this.#closed.complete();
    if (this.#findTaken()) return;
    // The writer last: the last connection that closes empties the WAL, and one that only reads cannot.
    this.#reader?.close();
    this.#writer?.close();
    this.#files = undefined;
  }

  #checkWritable(): void {
    this.#checkOpen();
    if (this.#damage && !this.#isWholeAgain()) throw this.#damage;
  }

  #checkOpen(): void {
    if (this.#closing) throw new LogError("closed", "This log was closed; open it again.");
    if (this.#taken) throw this.#taken;
  }

  /** @throws LogError `disk`: a file was taken away */
  #checkInPlace(): void {
    const taken = this.#findTaken();
    if (taken) throw taken;
  }

  /**
   * What is written to a file that no name leads to any more is lost when the last handle closes. So this log ends when it
   * finds that, and saves what it has acknowledged.
   */
  #findTaken(): LogError | undefined {
    const file = this.#files?.taken();
    if (file !== undefined) this.#taken ??= this.#giveUp(file);
    return this.#taken;
  }

  #giveUp(file: string): LogError {
    const isSaved = this.#saveJournal();
    // Closed last, the writer writes its journal back and removes the one that it finds: never that of a successor.
    const handles = this.#files?.hasSuccessor() ? [this.#writer, this.#reader] : [this.#reader, this.#writer];
    for (const handle of handles) closeQuietly(handle);
    this.#reader = undefined;
    this.#writer = undefined;
    this.#files = undefined;
    return takenError(file, isSaved ? this.#path : undefined, this.#acknowledged);
  }

  /** @returns whether all that was acknowledged is in the file that the log's name leads to */
  #saveJournal(): boolean {
    const files = this.#files;
    if (!this.#writer || !files || files.hasSuccessor()) return false;
    try {
      return this.#writer.writeBack(this.#busyLimit_ms) && files.isReachable() && !files.hasSuccessor();
    } catch {
      return false;
    }
  }

  #look<T>(read: (reader: LogReader) => T): T {
    this.#checkOpen();
    try {
      return read(this.#openReader());
    } catch (cause) {
      const error = asLogError(cause, this.#path);
      if (error instanceof LogError && (error.code === "damaged" || error.code === "disk")) {
        // What another process writes past this one looks like damage.
        this.#checkInPlace();
        if (error.code === "damaged") this.#damage = error;
        // What this handle has read may be what was wrong.
        closeQuietly(this.#reader);
        this.#reader = undefined;
        // With no handle open, the last process that closes the log removes its -wal and -shm, as it should.
        if (!this.#writer) this.#files = undefined;
      }
      throw error;
    }
  }

  /** A disk that could not be read looks like damage; unlike damage it passes. */
  #isWholeAgain(): boolean {
    if (!isWhole(this.#path)) return false;
    this.#damage = undefined;
    return true;
  }

  /** @throws LogError, or what SQLite throws */
  #openReader(): LogReader {
    this.#reader ??= openReader(this.#path);
    this.#files ??= filesInPlace(this.#path, this.#environment.now);
    return this.#reader;
  }

  #write(call: Waiting): void {
    this.#waiting.push(call);
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    setImmediate(() => this.#flush());
  }

  #flush(): void {
    const group = this.#waiting;
    this.#waiting = [];
    this.#commitOrRetry(group, this.#environment.elapsed_ms());
  }

  /** Plain callbacks: an append that need not wait for the lock costs no promise but its caller's. */
  #commitOrRetry(group: readonly Waiting[], start_ms: number): void {
    const { jitter, elapsed_ms } = this.#environment;
    try {
      const answers = this.#commit(group);
      for (const answer of answers) answer();
      // Followers look in a later turn: whoever waits for an answer comes first.
      if (this.#appends.observed) setImmediate(() => this.#appends.next());
    } catch (cause) {
      if (this.#taken) {
        for (const { reject } of group) reject(cause);
      } else {
        const error = asLogError(cause, this.#path);
        const wait_ms = elapsed_ms() - start_ms;
        if (error instanceof LogError && error.code === "busy" && wait_ms < this.#busyLimit_ms) {
          const pause_ms = pauseAfter(wait_ms, jitter());
          setTimeout(() => this.#commitOrRetry(group, start_ms), pause_ms);
          return;
        }
        if (error instanceof LogError && error.code === "damaged") this.#damage = error;
        this.#failed(group, error);
      }
    }
    if (this.#waiting.length > 0) setImmediate(() => this.#flush());
    else {
      this.#isFlushing = false;
      this.#flushed.next();
    }
  }

  /** Writes what can be written of a group, durably, and returns how to tell each caller. */
  #commit(group: readonly Waiting[]): (() => void)[] {
    // Before anything is written, also by opening: SQLite makes a -wal where it finds none.
    this.#checkInPlace();
    this.#writer ??= prepareWriter(openForWriting(this.#path));
    this.#files ??= filesInPlace(this.#path, this.#environment.now);
    const writer = this.#writer;
    const written: number[] = [];
    const answers = writer.transaction(() =>
      group.map(({ plan, reject }) => {
        try {
          const { insert, answer } = plan(writer, false);
          for (const record of insert) writer.insert(record);
          for (const record of [insert.at(0), insert.at(-1)]) if (record) written.push(record.position);
          return answer;
        } catch (error) {
          // A request that is refused has written nothing; the others of its group go on.
          if (!(error instanceof LogError) || error.code === "damaged") throw error;
          return () => reject(error);
        }
      }),
    );
    const taken = this.#findTaken();
    if (taken) {
      throw new LogError(
        "commit_unknown",
        `${taken.message} It was taken while these events were written; they may or may not be there. Append them again with the same ids.`,
        { cause: taken },
      );
    }
    const [first, last] = [written.at(0), written.at(-1)];
    if (first !== undefined && last !== undefined) {
      this.#acknowledged = [this.#acknowledged?.[0] ?? first, last];
    }
    return answers;
  }

  /**
   * After a failure of the disk the fate of the group is unknown: the handles are given up, and new ones look
   * whether the events are there. Where they are, a checkpoint makes them durable before anything is acknowledged.
   */
  #failed(group: readonly Waiting[], error: unknown): void {
    // The reader too: SQLite shares between them what it could open of the WAL's index, if only for reading.
    closeQuietly(this.#writer);
    closeQuietly(this.#reader);
    this.#writer = undefined;
    this.#reader = undefined;
    this.#files = undefined;
    for (const call of group) {
      try {
        this.#lookUpAfterFailure(call, error)();
      } catch (final) {
        call.reject(final);
      }
    }
  }

  #lookUpAfterFailure({ first, plan }: Waiting, error: unknown): () => void {
    if (first === undefined || !(error instanceof LogError) || error.code !== "disk") throw error;
    try {
      if (!this.#openReader().find(first)) throw error;
      checkpoint(this.#path, this.#busyLimit_ms);
      const { insert, answer } = plan(this.#openReader(), true);
      // Of what is restored, the first may have been there before.
      if (insert.length > 0) throw error;
      return answer;
    } catch (cause) {
      if (cause === error || (cause instanceof LogError && cause.code === "id_conflict")) throw cause;
      throw new LogError(
        "commit_unknown",
        "The disk failed while these events were written; they may or may not be there. Append again with the same ids.",
        { cause },
      );
    }
  }
}
