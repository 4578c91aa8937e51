import Database from "better-sqlite3";
import type { Event } from "../../../events/types/index.ts";
import { projections } from "../../../projections/all.ts";
import { checkRedactions, reduceEvents, type SinkState } from "../../../read-model/engine.ts";
import { type BoundProjection, bind, type ReducerFailure } from "../../../read-model/reduce.ts";
import { schemaOf } from "../../../read-model/schema.ts";
import { HEAD_SQL, type HeadRow, headIn } from "./head.ts";
import { FOR_EVER, nodeOf } from "./nodes.ts";
import { addRowCheck, addRowSum } from "./row-sums.ts";
import { openVersionRows } from "./version-rows.ts";
import { plannerSql, tables, versionTableSql } from "./version-tables.ts";

/**
 * Builds the file of a history. Several processes may take turns: all of the state is in the file.
 */
export class Making {
  readonly #database: Database.Database;
  readonly #bound: readonly BoundProjection[];
  readonly #statements: ReturnType<typeof prepareStatements>;
  /** The event being reduced. */
  #now = 0;

  /** @throws SqliteError: the file is not a database, or cannot be written */
  constructor(path: string) {
    this.#database = new Database(path, { timeout: MAKING_TABLES_MS });
    try {
      this.#database.pragma("journal_mode = WAL");
      // A cache: the log restores what a power cut loses.
      this.#database.pragma("synchronous = NORMAL");
      this.#database.function("node_of", { deterministic: true }, (from: unknown, last: unknown) =>
        nodeOf(Number(from), Number(last)),
      );
      addRowSum(this.#database);
      // Never copy a row whose checksum fails: the copy would get a valid checksum.
      addRowCheck(this.#database);
      this.#database.pragma(`wal_autocheckpoint = ${PAGES_BETWEEN_CHECKPOINTS}`);
      this.#database.transaction(() => makeTables(this.#database)).immediate();
      // Loads the planner's statistics that `makeTables` wrote.
      this.#database.exec("ANALYZE sqlite_schema");
      // From here on, a second process gives way instead of waiting.
      this.#database.pragma("busy_timeout = 0");
      this.#bound = projections.map((projection) =>
        bind(
          this.#database,
          projection,
          ({ name }) => name,
          (database, table) => openVersionRows(database, table, () => this.#now),
        ),
      );
      this.#statements = prepareStatements(this.#database);
    } catch (cause) {
      this.#database.close();
      throw cause;
    }
  }

  /** The last event in it. */
  position(): number {
    return headIn(this.#statements.head.get());
  }

  /** The leaf hash of an event in it. */
  leafHashAt(position: number): string | undefined {
    return this.#statements.leafHash.get(position)?.leaf_hash;
  }

  /**
   * Reduces events, in log order and without gaps, until the time is up, but at least one. Skips
   * events that it has already. A reducer that throws is stopped before its event; the others go
   * on.
   *
   * @param end_ms when to stop, on the clock of `performance.now`
   * @throws RedactedMeanwhile
   */
  reduce(events: readonly Event[], end_ms: number): void {
    let isFirst = true;
    let until_ms = end_ms;
    reduceEvents(
      {
        transaction: (work) => {
          // A projection stops at a position, so everything before that has to be reduced now.
          until_ms = isFirst ? end_ms : Number.POSITIVE_INFINITY;
          isFirst = false;
          this.#database.transaction(work).immediate();
        },
        state: () => this.#state(),
        begin: (event) => this.#begin(event),
        isTimeUp: () => performance.now() >= until_ms,
        moveTo: ({ position }) => this.#statements.setHead.run(position),
        stop: (failure) => this.#stop(failure),
      },
      events,
    );
  }

  close(): void {
    this.#database.close();
  }

  #state(): SinkState {
    const position = this.position();
    const stopped = new Set(this.#statements.stopped.all().map(({ name }) => name));
    const live = this.#bound.filter(({ projection }) => !stopped.has(projection.name));
    return { position, live: live.map((bound) => ({ bound, position })) };
  }

  #begin(event: Event): void {
    checkRedactions([event], (position) => this.#statements.redacted.get(position)?.redacted !== 0);
    this.#now = event.position;
    const isRedacted = event.redacted === undefined ? 0 : 1;
    this.#statements.addEvent.run(event.position, Buffer.from(event.leafHash, "hex"), isRedacted);
  }

  #stop({ projection, event, message }: ReducerFailure): void {
    this.#statements.stop.run(event.position - 1, message, projection);
  }
}

function prepareStatements(database: Database.Database) {
  return {
    head: database.prepare<[], HeadRow>(HEAD_SQL),
    setHead: database.prepare<[number]>("UPDATE __head SET position = ?"),
    addEvent: database.prepare<[number, Buffer, 0 | 1]>("INSERT INTO __events VALUES (?, ?, ?)"),
    leafHash: database.prepare<[number], { leaf_hash: string }>(
      "SELECT lower(hex(leaf_hash)) AS leaf_hash FROM __events WHERE position = ?",
    ),
    redacted: database.prepare<[number], { redacted: 0 | 1 }>(
      "SELECT redacted FROM __events WHERE position = ?",
    ),
    stopped: database.prepare<[], { name: string }>("SELECT name FROM __projections WHERE error IS NOT NULL"),
    stop: database.prepare<[number, string, string]>(
      "UPDATE __projections SET stopped_at = ?, error = ? WHERE name = ?",
    ),
  };
}

/** Each checkpoint waits for the disk; every 16 MB. */
const PAGES_BETWEEN_CHECKPOINTS = 4_000;

/** How long to wait for another process that creates the tables or has the turn. */
const MAKING_TABLES_MS = 5_000;

/** Creates all tables of a history, if the file has none. */
export function makeTables(database: Database.Database): void {
  if (database.prepare("SELECT 1 FROM sqlite_schema WHERE name = '__head'").get() !== undefined) return;
  database.exec(OWN_TABLES);
  const add = database.prepare("INSERT INTO __projections VALUES (?, ?, ?, ?, NULL)");
  for (const one of projections) add.run(one.name, one.version, schemaOf(one), FOR_EVER);
  for (const sql of [...tables.flatMap(versionTableSql), ...plannerSql()]) database.exec(sql);
}

const OWN_TABLES = `
  CREATE TABLE __head (position INTEGER NOT NULL) STRICT;
  INSERT INTO __head VALUES (0);
  CREATE TABLE __events (position INTEGER PRIMARY KEY, leaf_hash BLOB NOT NULL, redacted INTEGER NOT NULL) STRICT;
  CREATE TABLE __changes (tbl INTEGER, position INTEGER, key ANY, PRIMARY KEY (tbl, position, key)) STRICT, WITHOUT ROWID;
  CREATE TABLE __projections (
    name TEXT PRIMARY KEY, version INTEGER NOT NULL, schema TEXT NOT NULL, stopped_at INTEGER NOT NULL, error TEXT
  ) STRICT;`;
