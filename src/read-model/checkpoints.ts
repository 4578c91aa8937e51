import type Database from "better-sqlite3";
import type { Event } from "../events/types/index.ts";
import { defineTable, integer, means, nullable, oneOf, text } from "../projections/table.ts";

/** The progress of one projection. */
export interface Checkpoint {
  readonly name: string;
  /** The version of the reducers that made the tables. */
  readonly version: number;
  /** A hash of the tables' declarations: detects tables that changed without a new version. */
  readonly schema: string;
  /** The last reduced position; 0 for none. */
  readonly position: number;
  /** The leaf hash of that event: detects a read model of another log. */
  readonly leaf_hash: string;
  /** The log's head at the projection's last update. */
  readonly head: number;
  readonly state: "live" | "stopped";
  /** Why it stopped. */
  readonly error: string | null;
}

/** The declaration for readers; a test compares it with the table below. */
export const checkpointsTable = defineTable("projections", {
  description: "The position of each projection.",
  columns: {
    name: text,
    version: means(integer, "of the reducers that filled its tables"),
    schema: means(text, "a hash of the tables' declarations"),
    position: means(integer, "the last event that was reduced"),
    leaf_hash: means(text, "the hash of the event there, hex"),
    head: means(integer, "the log's head when it was last read"),
    lag: means(integer, "`head - position`"),
    state: means(oneOf(["live", "stopped"]), "stopped: by an error"),
    error: means(nullable(text), "the position and the error"),
  },
  key: ["name"],
});

/** The table `projections`: checkpoint, lag and error of each; readers may use it. */
export class Checkpoints {
  readonly #list: Database.Statement<[], Checkpoint>;
  readonly #put: Database.Statement<Checkpoint>;
  readonly #names: string;
  readonly #remove: Database.Statement<[string]>;
  readonly #advance: Database.Statement<{ names: string; position: number; leafHash: string }>;
  readonly #stop: Database.Statement<[string, string]>;
  readonly #position: Database.Statement<[string], number | null>;
  readonly #setHead: Database.Statement<{ head: number }>;

  /** @param names the projections of this program; others are left unchanged for newer programs */
  constructor(database: Database.Database, names: readonly string[]) {
    this.#names = JSON.stringify(names);
    database.exec(`
      CREATE TABLE IF NOT EXISTS projections (
        name TEXT PRIMARY KEY,
        version INTEGER NOT NULL,
        schema TEXT NOT NULL,
        position INTEGER NOT NULL,
        leaf_hash TEXT NOT NULL,
        head INTEGER NOT NULL,
        lag INTEGER GENERATED ALWAYS AS (head - position),
        state TEXT NOT NULL CHECK (state IN ('live', 'stopped')),
        error TEXT
      ) STRICT;
      CREATE TABLE IF NOT EXISTS rebuilds (run INTEGER PRIMARY KEY AUTOINCREMENT, pid INTEGER NOT NULL) STRICT;
    `);
    const columns = database
      .prepare<[], string>("SELECT name FROM pragma_table_info('rebuilds')")
      .pluck()
      .all();
    for (const name of ["position", "head", "signs"]) {
      // A file made by an older program lacks these.
      if (!columns.includes(name)) {
        database.exec(`ALTER TABLE rebuilds ADD COLUMN ${name} INTEGER NOT NULL DEFAULT 0`);
      }
    }
    this.#list = database.prepare(
      "SELECT name, version, schema, position, leaf_hash, head, state, error FROM projections ORDER BY name",
    );
    this.#put = database.prepare(
      `INSERT OR REPLACE INTO projections (name, version, schema, position, leaf_hash, head, state, error)
       VALUES (:name, :version, :schema, :position, :leaf_hash, :head, :state, :error)`,
    );
    this.#remove = database.prepare("DELETE FROM projections WHERE name = ?");
    this.#advance = database.prepare(
      `UPDATE projections SET position = :position, leaf_hash = :leafHash
       WHERE state = 'live' AND position < :position AND name IN (SELECT value FROM json_each(:names))`,
    );
    this.#stop = database.prepare("UPDATE projections SET state = 'stopped', error = ? WHERE name = ?");
    this.#position = database
      .prepare<[string], number | null>(
        `SELECT coalesce(min(CASE state WHEN 'live' THEN position END), max(position)) FROM projections
         WHERE name IN (SELECT value FROM json_each(?))`,
      )
      .pluck();
    this.#setHead = database.prepare("UPDATE projections SET head = :head WHERE head < :head");
  }

  list(): Checkpoint[] {
    return this.#list.all();
  }

  /** Those that an error stopped, other programs' too. */
  stopped(): Checkpoint[] {
    return this.list().filter(({ state }) => state === "stopped");
  }

  position(): number {
    return this.#position.get(this.#names) ?? 0;
  }

  put(checkpoint: Checkpoint): void {
    this.#put.run(checkpoint);
  }

  remove(name: string): void {
    this.#remove.run(name);
  }

  /**
   * Records that every live projection has reduced up to `last`; those further ahead stay there.
   */
  advance(last: Event, head: number): void {
    this.#advance.run({ names: this.#names, position: last.position, leafHash: last.leafHash });
    this.#setHead.run({ head: Math.max(head, last.position) });
  }

  stop(name: string, message: string): void {
    this.#stop.run(message, name);
  }
}
