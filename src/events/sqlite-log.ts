import { firstValueFrom, merge, type Observable, Subject, takeUntil } from "rxjs";
import type { Environment } from "../lib/environment.ts";
import { isEventId } from "../lib/ids.ts";
import { LogError } from "../lib/log-error.ts";
import { pauseAfter } from "../lib/pause.ts";
import { planAppend, prepareAppend } from "./append.ts";
import { decodeEvent } from "./encoding.ts";
import type { EventRecord } from "./event-record.ts";
import { watchForCommits } from "./file-watch.ts";
import { followByPages } from "./follow-by-pages.ts";
import { KnownHistory } from "./known-history.ts";
import { payloadHash } from "./leaf-hash.ts";
import { type Appended, type EventLog, type LogIdentity, pageSize } from "./log.ts";
import { checkRecords, planRestore } from "./restore.ts";
import { auditFile } from "./sqlite-audit.ts";
import { asLogError, checkLogPath, openForWriting } from "./sqlite-file.ts";
import { checkpoint, closeQuietly, isWhole, openReader } from "./sqlite-handles.ts";
import { type FilesInPlace, filesInPlace, takenError } from "./sqlite-in-place.ts";
import { type LogReader, type LogWriter, prepareWriter } from "./sqlite-records.ts";
import type { Event } from "./types/index.ts";
import type { Waiting } from "./waiting.ts";

/**
 * The embedded event log: one SQLite file, any number of processes. The file must exist
 * (`createLogFile`).
 *
 * Concurrent appends of this process share one transaction and one fsync (group commit): they are
 * gathered until the current turn of the event loop ends, never longer.
 *
 * @param busyLimit_ms how long an append waits for its turn among other processes
 * @throws LogError `disk`, `damaged`, `newer_schema`
 */
export function openSqliteLog(path: string, environment: Environment, busyLimit_ms = 10_000): EventLog {
  return new SqliteLog(path, environment, busyLimit_ms);
}

class SqliteLog implements EventLog {
  readonly #path: string;
  readonly #environment: Environment;
  /** The files that were opened; undefined while no handle is open. */
  #files: FilesInPlace | undefined;
  /** Set once a file was removed or replaced: from then on nothing is recorded or read. */
  #taken: LogError | undefined;
  /** The first and the last position that this process has acknowledged. */
  #acknowledged: readonly [first: number, last: number] | undefined;
  readonly #known = new KnownHistory();
  readonly #busyLimit_ms: number;
  /** Closed after a disk failure, reopened on demand. */
  #reader: LogReader | undefined;
  /** Opened at the first append, closed after a disk failure. */
  #writer: LogWriter | undefined;
  #waiting: Waiting[] = [];
  /** True from the first waiting call until every call is answered. */
  #isFlushing = false;
  #closing = false;
  /** Damage found while reading: a damaged log accepts no appends. */
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
          const answer = () => {
            this.#known.note(insert.at(-1));
            resolve(appended);
          };
          return { insert, answer };
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
    const events = this.#look((reader) => reader.events(after, pageSize(limit)));
    this.#known.note(events.at(-1));
    return events;
  }

  async readStream(stream: string, afterVersion: number, limit: number): Promise<readonly Event[]> {
    return this.#look((reader) => reader.streamEvents(stream, afterVersion, pageSize(limit)));
  }

  async positionsIn(streams: readonly string[], from: number, to: number): Promise<readonly number[]> {
    return this.#look((reader) => reader.positionsIn(streams, from, to));
  }

  readonly recordedBy: EventLog["recordedBy"] = async () => this.#look(() => new Map());

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

  async records(after: number, limit: number): Promise<readonly EventRecord[]> {
    return this.#look((reader) => reader.page(after, pageSize(limit)));
  }

  async identity(): Promise<LogIdentity> {
    return this.#look((reader) => ({ log: reader.at(1)?.id, epoch: 0, schema: reader.schemaVersion() }));
  }

  readonly audit: EventLog["audit"] = async (work, anyFormat) => {
    this.#checkOpen();
    return auditFile(this.#path, work, anyFormat);
  };

  async head(): Promise<number> {
    this.#checkInPlace();
    return this.#look((reader) => reader.head());
  }

  async streamVersion(stream: string): Promise<number> {
    return this.#look((reader) => reader.streamVersion(stream));
  }

  follow(after: number): Observable<readonly Event[]> {
    return followByPages({
      after,
      wakes: merge(this.#appends, this.#commitsElsewhere).pipe(takeUntil(this.#closed)),
      read: (seen, limit) => {
        this.#checkInPlace();
        return this.read(seen, limit);
      },
      isClosing: () => this.#closing,
    });
  }

  async close(): Promise<void> {
    this.#closing = true;
    if (this.#isFlushing) await firstValueFrom(this.#flushed);
    this.#closed.next();
    this.#closed.complete();
    if (this.#findTaken()) return;
    // The writer last: the last connection to close checkpoints the WAL, and a read-only one
    // cannot.
    this.#reader?.close();
    this.#writer?.close();
    this.#files = undefined;
  }

  #checkWritable(): void {
    this.#checkOpen();
    if (this.#damage && !this.#isWholeAgain()) throw this.#damage;
  }

  #checkOpen(): void {
    if (this.#closing) throw new LogError("closed", "This log is closed; open it again.");
    if (this.#taken) throw this.#taken;
  }

  /** @throws LogError `disk`: a file was removed or replaced */
  #checkInPlace(): void {
    const taken = this.#findTaken();
    if (taken) throw taken;
  }

  /**
   * Appends to a file that no name leads to are lost when the last handle closes. So on finding
   * that, the log saves everything it has acknowledged and closes for good.
   */
  #findTaken(): LogError | undefined {
    const file = this.#files?.taken();
    if (file !== undefined) this.#taken ??= this.#giveUp(file);
    return this.#taken;
  }

  #giveUp(file: string): LogError {
    const isSaved = this.#saveJournal();
    // Closed last: the writer checkpoints its own journal and removes the one that it finds, never
    // a successor's.
    const handles = this.#files?.hasSuccessor() ? [this.#writer, this.#reader] : [this.#reader, this.#writer];
    for (const handle of handles) closeQuietly(handle);
    this.#reader = undefined;
    this.#writer = undefined;
    this.#files = undefined;
    return takenError(file, isSaved ? this.#path : undefined, this.#acknowledged);
  }

  /** @returns whether the file under the log's name contains everything that was acknowledged */
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
      const reader = this.#openReader();
      this.#known.check(reader, reader.commits());
      return read(reader);
    } catch (cause) {
      const error = asLogError(cause, this.#path);
      if (error instanceof LogError && (error.code === "damaged" || error.code === "disk")) {
        // Another process's writes to a replaced file look like damage.
        this.#checkInPlace();
        if (error.code === "damaged") this.#damage = error;
        // The reader's cache may be what is wrong.
        closeQuietly(this.#reader);
        this.#reader = undefined;
        // With no handle open here, the last process to close the log removes its -wal and -shm, as
        // it should.
        if (!this.#writer) this.#files = undefined;
      }
      throw error;
    }
  }

  /** A disk read failure looks like damage, but is temporary. */
  #isWholeAgain(): boolean {
    if (!isWhole(this.#path)) return false;
    this.#damage = undefined;
    return true;
  }

  /** @throws LogError, or the error of SQLite */
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

  /** Plain callbacks: an append that need not wait for the lock costs no promise except its caller's. */
  #commitOrRetry(group: readonly Waiting[], start_ms: number): void {
    const { jitter, elapsed_ms } = this.#environment;
    try {
      const answers = this.#commit(group);
      for (const answer of answers) answer();
      // Followers get the events in a later turn: the callers of append come first.
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

  /** Writes the valid appends of a group durably. Returns how to answer each caller. */
  #commit(group: readonly Waiting[]): (() => void)[] {
    // Checked before anything is written, even before opening: SQLite creates a missing -wal.
    this.#checkInPlace();
    this.#writer ??= prepareWriter(openForWriting(this.#path));
    this.#files ??= filesInPlace(this.#path, this.#environment.now);
    const writer = this.#writer;
    const written: number[] = [];
    const answers = writer.transaction((haveOthersWritten) => {
      if (haveOthersWritten) this.#known.check(writer);
      return group.map(({ plan, reject }) => {
        try {
          const { insert, answer } = plan(writer, false);
          for (const record of insert) writer.insert(record);
          for (const record of [insert.at(0), insert.at(-1)]) if (record) written.push(record.position);
          return answer;
        } catch (error) {
          // A refused append has written nothing; the rest of its group goes on.
          if (!(error instanceof LogError) || error.code === "damaged") throw error;
          return () => reject(error);
        }
      });
    });
    const taken = this.#findTaken();
    if (taken) {
      throw new LogError(
        "commit_unknown",
        `${taken.message} This happened while these events were being written; they may or may not be ` +
          "in the log. Append them again with the same ids.",
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
   * After a disk failure the outcome of the group is unknown: drops the handles, and reads through
   * new ones whether the events are in the log. If they are, a checkpoint makes them durable before
   * they are acknowledged.
   */
  #failed(group: readonly Waiting[], error: unknown): void {
    // The reader too: SQLite shares its view of the WAL index between connections, even a read-only
    // view.
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
      // The first events of a restore may have been in the log before.
      if (insert.length > 0) throw error;
      return answer;
    } catch (cause) {
      if (cause === error || (cause instanceof LogError && cause.code === "id_conflict")) throw cause;
      throw new LogError(
        "commit_unknown",
        "The disk failed while these events were being written; they may or may not be in the log. " +
          "Append them again with the same ids.",
        { cause },
      );
    }
  }
}
