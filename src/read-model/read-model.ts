import { hash } from "node:crypto";
import type Database from "better-sqlite3";
import { Subject } from "rxjs";
import type { Event } from "../events/types/index.ts";
import { hashOfJson } from "../lib/json-hash.ts";
import { projections as all } from "../projections/all.ts";
import type { IndexedRowsOf, Projection, TableSet } from "../projections/projection.ts";
import { openRows, type Rows } from "../projections/rows.ts";
import { dropTableSql, quote, renameTableSql, type Table } from "../projections/table.ts";
import { views } from "../projections/views.ts";
import { type Checkpoint, Checkpoints } from "./checkpoints.ts";
import { ProjectionBehind, reduceEvents, type Sink, type SinkState } from "./engine.ts";
import { isOurs, requireWhole, tablesOf, tablesReadBy } from "./own.ts";
import type { Given, Question } from "./question.ts";
import { newerVersion, ReadModelError } from "./read-model-error.ts";
import { asReadModelError, checkFormat, dropForeign, openAnew, openDatabase } from "./read-model-file.ts";
import { dropDeadRuns, type RebuildProgress } from "./rebuild-runs.ts";
import { type BoundProjection, bind } from "./reduce.ts";
import { hasRoom, noRoom } from "./room.ts";
import { projectionSql, schemaOf } from "./schema.ts";

/**
 * The tables that reducers write and everybody reads. They are always exactly the reduction of a prefix of the log:
 * rows and checkpoints change in one transaction. A cache: the file can be deleted at any time.
 */
export class ReadModel {
  readonly database: Database.Database;
  /** The progress of a rebuild that an answer waits for, here or in another process. */
  readonly rebuilding = new Subject<RebuildProgress>();
  /** Called when a question was answered from an older version's tables, with their checkpoint. */
  readonly outdated = new Subject<number>();
  readonly checkpoints: Checkpoints;
  readonly projections: readonly Projection[];
  readonly #own: readonly Projection[];
  #bound: readonly BoundProjection[];
  readonly #queries = new Map<string, Database.Statement>();
  /** Statements are prepared once for each table. */
  readonly #rows = new Map<Table, Rows<Table>>();
  #found: Known | undefined;
  readonly #seal: ((path: string) => number) | undefined;

  /**
   * @param path a file, created if missing, or `:memory:`
   * @param open absent: opens that file; else opens other tables, which are not recreated if
   * damaged
   * @param seal what only we write into this very file; a file without it is emptied
   * @throws ReadModelError `unusable`: it cannot be read or written; `newer_version`
   */
  constructor(
    path: string,
    projections: readonly Projection[] = all,
    open = openDatabase,
    seal?: (path: string) => number,
  ) {
    this.projections = projections;
    this.#own = projections.filter(({ name }) => !isOurs(name));
    this.#seal = seal;
    this.database = open(path);
    try {
      this.checkpoints = this.#prepareSchema();
      this.#bound = this.#bind();
    } catch (cause) {
      this.database.close();
      const error = asReadModelError(cause, path);
      const isDamaged = error instanceof ReadModelError && error.code === "damaged";
      if (!isDamaged || open !== openDatabase) throw error;
      try {
        this.database = openAnew(path);
        this.checkpoints = this.#prepareSchema();
        this.#bound = this.#bind();
      } catch (again) {
        this.database.close();
        throw asReadModelError(again, path);
      }
    }
  }

  /** The position up to which every running projection has reduced. */
  position(): number {
    const known = this.#known();
    known.position ??= this.#explaining(() => this.checkpoints.position());
    return known.position;
  }

  /**
   * Projections whose tables were made by an older version of their reducers.
   *
   * @throws ReadModelError `newer_version`: a newer program made the tables; this one must not touch them.
   */
  stale(): readonly Projection[] {
    const known = this.#known();
    known.stale ??= this.#findStale();
    return known.stale;
  }

  #findStale(): readonly Projection[] {
    const checkpoints = this.#explaining(() => {
      const found = this.prepared<[], { user_version: number }>("PRAGMA user_version").get();
      checkFormat(this.database, found?.user_version ?? 0);
      return this.checkpoints.list();
    });
    checkNotNewer(checkpoints, this.projections);
    return this.projections.filter((projection) => {
      const made = checkpoints.find(({ name }) => name === projection.name);
      return made?.version !== projection.version || made.schema !== schemaOf(projection);
    });
  }

  /** The checkpoints' state, cached until another connection writes: each answer needs it. */
  #known(): Known {
    const version = this.#explaining(() => this.prepared<[], number>("PRAGMA data_version").pluck().get());
    if (!this.#found || this.#found.version !== version) this.#found = { version };
    return this.#found;
  }

  /**
   * Reduces events, in log order and without gaps, from wherever each projection is. Events that a projection has
   * seen are passed over, so several processes may advance the same file.
   *
   * A reducer that throws stops its projection before that event, visibly in the table `projections`, and no other.
   *
   * @returns false if nothing was done, as a projection is further behind: another process swapped in older tables
   */
  advance(events: readonly Event[], head: number): boolean {
    // Another process may have rebuilt projections that were stale when this one opened the file.
    if (this.#bound.length + this.stale().length !== this.projections.length) this.rebind();
    try {
      reduceEvents(this.#sink(head), events);
      return true;
    } catch (error) {
      if (error instanceof ProjectionBehind) return false;
      throw error;
    }
  }

  /** Call before any write that the log can restore. @throws ReadModelError `no_room` */
  requireRoom(): void {
    const { name } = this.database;
    if (!hasRoom(name)) throw noRoom(name, this.position());
  }

  /** Runs `look` on one snapshot of the read model, whatever other processes do meanwhile. */
  snapshot<T>(look: () => T): T {
    return this.#explaining(() => this.database.transaction(look).deferred());
  }

  /** A statement that is run again and again; prepared once. Questions are asked by `all`, `get` and `each`. */
  protected prepared<Parameters extends unknown[] | object, Result>(
    sql: string,
  ): Database.Statement<Parameters, Result> {
    let statement = this.#queries.get(sql);
    if (!statement) {
      statement = this.database.prepare(sql);
      this.#queries.set(sql, statement);
    }
    // Each query declares its own parameters and rows, beside its SQL.
    return statement as Database.Statement<Parameters, Result>;
  }

  /** Every row of a question's answer. */
  all<Values extends Given, Answer>(question: Question<Values, Answer>, values: Values): Answer[] {
    this.requireWhole(question.sql);
    return this.prepared<[Values], Answer>(question.sql).all(values);
  }

  /** The first row of a question's answer. */
  get<Values extends Given, Answer>(question: Question<Values, Answer>, values: Values): Answer | undefined {
    this.requireWhole(question.sql);
    return this.prepared<[Values], Answer>(question.sql).get(values);
  }

  /**
   * The rows of a question's answer, one at a time; nothing may be written until the last one was
   * read.
   */
  each<Values extends Given, Answer>(
    question: Question<Values, Answer>,
    values: Values,
  ): IterableIterator<Answer> {
    this.requireWhole(question.sql);
    return this.prepared<[Values], Answer>(question.sql).iterate(values);
  }

  /** The rows of some tables, through the reducers' interface. */
  rowsOf<Tables extends TableSet>(tables: Tables): IndexedRowsOf<Tables> {
    this.requireWhole(tablesOf({ tables }));
    const rows = Object.entries(tables).map(([name, table]) => [name, this.#rowsOfTable(table)]);
    // The entries match those of `tables` one to one.
    return Object.fromEntries(rows) as unknown as IndexedRowsOf<Tables>;
  }

  /**
   * Call before reading tables: those of an own projection that stopped lack its event and all later ones.
   *
   * @param read SQL, or the names of the tables
   * @throws ReadModelError `stopped`
   */
  requireWhole(read: string | readonly string[]): void {
    if (this.#own.length === 0) return;
    const known = this.#known();
    known.stopped ??= this.checkpoints.stopped();
    if (known.stopped.length === 0) return;
    const tables = typeof read === "string" ? tablesReadBy(this.database, read) : read;
    requireWhole(tables, this.#own, known.stopped);
  }

  /** Runs `work` in one write transaction. */
  transaction<T>(work: () => T): T {
    this.forgetKnown();
    try {
      return this.#explaining(() => this.database.transaction(work).immediate());
    } finally {
      this.forgetKnown();
    }
  }

  /**
   * Call after this connection changes the checkpoints: `data_version` only shows other
   * connections' writes.
   */
  protected forgetKnown(): void {
    this.#found = undefined;
  }

  /**
   * Swaps a rebuild's tables in. Call it in a transaction.
   *
   * @throws ReadModelError `newer_version`: a newer program swapped in its own meanwhile
   */
  swapIn(rebuilt: readonly BoundProjection[], checkpoints: readonly Checkpoint[]): void {
    checkNotNewer(this.checkpoints.list(), this.projections);
    this.#dropViews();
    const run = (sql: string) => this.database.exec(sql);
    // All old tables first: for each new name SQLite parses what the whole schema then has.
    for (const { projection } of rebuilt) {
      for (const table of Object.values(projection.tables)) dropTableSql(table).forEach(run);
      for (const name of projection.former ?? []) run(`DROP TABLE IF EXISTS ${quote(name)}`);
      for (const name of projection.absorbed ?? []) this.checkpoints.remove(name);
    }
    for (const { projection, nameOf } of rebuilt)
      for (const table of Object.values(projection.tables)) renameTableSql(table, nameOf).forEach(run);
    for (const checkpoint of checkpoints) this.checkpoints.put(checkpoint);
    this.#createViews();
  }

  /** Resumes the stale projections after their tables were swapped. */
  rebind(): void {
    this.#bound = this.#bind();
  }

  /** A hash over every row of every projection's tables: equal if and only if the contents are. */
  contentHash(): string {
    return this.snapshot(() => this.#hashRows());
  }

  #hashRows(): string {
    const parts: string[] = [];
    for (const { name, tables } of this.projections) {
      for (const table of Object.values(tables)) {
        const order = table.key.map(quote).join(", ");
        const columns = Object.keys(table.columns).map(quote).join(", ");
        const rows = this.database
          .prepare<[], unknown[]>(`SELECT ${columns} FROM ${quote(table.name)} ORDER BY ${order}`)
          .raw()
          .iterate();
        parts.push(hashOfJson([name, table.name], rows));
      }
    }
    return hash("sha256", parts.join("\n"));
  }

  close(): void {
    this.database.close();
  }

  /** @throws ReadModelError `damaged`, `unusable` for faults in the file that `work` meets */
  #explaining<T>(work: () => T): T {
    try {
      return work();
    } catch (cause) {
      throw asReadModelError(cause, this.database.name);
    }
  }

  #rowsOfTable(table: Table): Rows<Table> {
    let rows = this.#rows.get(table);
    if (!rows) {
      rows = openRows(this.database, table, table.name);
      this.#rows.set(table, rows);
    }
    return rows;
  }

  #sink(head: number): Sink {
    return {
      transaction: (work) => this.transaction(work),
      state: () => this.#reduced(),
      moveTo: (last) => this.checkpoints.advance(last, head),
      stop: ({ projection, message }) => this.transaction(() => this.checkpoints.stop(projection, message)),
    };
  }

  #reduced(): SinkState {
    const positions = new Map<string, number>();
    for (const { name, version, state, position } of this.checkpoints.list())
      if (state === "live") positions.set(`${name} ${version}`, position);
    const live = this.#bound.flatMap((bound) => {
      const position = positions.get(`${bound.projection.name} ${bound.projection.version}`);
      return position === undefined ? [] : [{ bound, position }];
    });
    // If all projections stopped, nothing is skipped, so that they show their lag.
    return { position: live.length > 0 ? Math.min(...live.map(({ position }) => position)) : 0, live };
  }

  #prepareSchema(): Checkpoints {
    return this.transaction(() => {
      dropForeign(this.database, this.#seal?.(this.database.name));
      const checkpoints = new Checkpoints(
        this.database,
        this.projections.map(({ name }) => name),
      );
      // SQLite silently opens a file without write permission for reading; this statement changes
      // nothing, but fails then.
      this.database.exec("UPDATE projections SET head = head WHERE false");
      // Before any change: a newer program's tables must stay as they are.
      checkNotNewer(checkpoints.list(), this.projections);
      dropDeadRuns(this.database);
      const known = new Set(checkpoints.list().map(({ name }) => name));
      const missing = this.projections.filter(({ name }) => !known.has(name));
      // A new projection beside filled tables is created together with its rows: until then readers
      // must not see it empty.
      const isNew = checkpoints.position() === 0;
      for (const projection of isNew ? missing : []) {
        for (const sql of projectionSql(projection)) this.database.exec(sql);
        checkpoints.put({
          name: projection.name,
          version: projection.version,
          schema: schemaOf(projection),
          position: 0,
          leaf_hash: "",
          head: 0,
          state: "live",
          error: null,
        });
      }
      if (!this.#viewsAreCurrent()) {
        this.#dropViews();
        this.#createViews();
      }
      return checkpoints;
    });
  }

  #bind(): readonly BoundProjection[] {
    const stale = new Set(this.stale());
    return this.projections
      .filter((projection) => !stale.has(projection))
      .map((projection) => bind(this.database, projection, (table) => table.name));
  }

  #viewsAreCurrent(): boolean {
    const present = this.database.prepare("SELECT sql FROM sqlite_schema WHERE type = 'view'").pluck().all();
    return views.length === present.length && views.every(({ sql }) => present.includes(sql));
  }

  #dropViews(): void {
    const names = this.database
      .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'view'")
      .pluck();
    for (const name of names.all()) this.database.exec(`DROP VIEW ${quote(name)}`);
  }

  #createViews(): void {
    const names = new Set(this.projections.map(({ name }) => name));
    // A read model with only some projections, as in tests, has no views.
    if (!all.every(({ name }) => names.has(name))) return;
    for (const { sql } of views) this.database.exec(sql);
  }
}

interface Known {
  /** The `PRAGMA data_version` at that time. */
  readonly version: number | undefined;
  position?: number;
  stale?: readonly Projection[];
  stopped?: readonly Checkpoint[];
}

/** @throws ReadModelError `newer_version` */
function checkNotNewer(checkpoints: readonly Checkpoint[], projections: readonly Projection[]): void {
  for (const { name, version } of projections) {
    const made = checkpoints.find((checkpoint) => checkpoint.name === name)?.version ?? 0;
    if (made > version) throw newerVersion(`the tables of "${name}"`, made, version);
  }
}
