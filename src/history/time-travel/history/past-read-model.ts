import { existsSync } from "node:fs";
import Database from "better-sqlite3";
import { quote, type Table } from "../../../projections/table.ts";
import { views } from "../../../projections/views.ts";
import { ReadModel } from "../../../read-model/read-model.ts";
import { HEAD_SQL, type HeadRow, headIn } from "./head.ts";
import { nodesOver } from "./nodes.ts";
import { addRowCheck } from "./row-sums.ts";
import { endedSql, holdsNow, momentViewSql, numberOf, tables } from "./version-tables.ts";

/**
 * A read model at any position of a history's file: temporary views over the file shadow its own
 * tables, which stay empty. Read-only.
 */
export class PastReadModel extends ReadModel {
  /** The history's file. */
  readonly path: string;
  readonly #isChecked: boolean;
  /** For each table with a view: whether any of its row versions has ended. */
  readonly #hasEnded = new Map<Table, boolean>();
  /** The position at which each full-text index was filled. */
  readonly #searchedAt = new Map<Table, number>();

  /**
   * @param path the history's file
   * @param isChecked whether a query fails on a row whose checksum fails
   * @throws SqliteError: the file is missing, unreadable or damaged
   */
  constructor(path: string, isChecked = false) {
    super(":memory:");
    this.path = path;
    this.#isChecked = isChecked;
    const { database } = this;
    addRowCheck(database);
    database.pragma("temp_store = MEMORY");
    // Without this check SQLite would create an empty file after another process removed it.
    if (!existsSync(path)) throw new Database.SqliteError("the file is gone", "SQLITE_CANTOPEN");
    database.prepare("ATTACH ? AS history").run(path);
    database.exec(MOMENT);
    for (const table of tables) this.#makeView(table);
    database.exec(CHECKPOINTS);
    for (const { sql } of views) database.exec(sql.replace(/^CREATE VIEW/, "CREATE TEMP VIEW"));
  }

  /** Asks a question about the state after the event at a position that the history covers. */
  asOf<Answer>(position: number, question: (readModel: ReadModel) => Answer): Answer {
    return this.snapshot(() => {
      this.#goTo(position);
      return question(this);
    });
  }

  /** The same for an async question; this read model accepts no other question meanwhile. */
  async during<Answer>(
    position: number,
    question: (readModel: ReadModel) => Answer | Promise<Answer>,
  ): Promise<Answer> {
    this.database.exec("BEGIN");
    try {
      this.#goTo(position);
      return await question(this);
    } finally {
      if (this.database.open) this.database.exec("COMMIT");
    }
  }

  /**
   * Fixes this state for all later questions, even while the history grows. Call it once.
   *
   * @returns the last event that the history covers
   */
  stayAt(position: number): number {
    this.database.exec("BEGIN");
    return this.#goTo(position);
  }

  /** The leaf hash of an event in the history. */
  leafHashAt(position: number): string | undefined {
    const sql = "SELECT lower(hex(leaf_hash)) FROM history.__events WHERE position = ?";
    return super.prepared<[number], string>(sql).pluck().get(position);
  }

  /**
   * Whether an event was not yet redacted when it was reduced: the tables may contain the removed
   * texts.
   */
  hasUnredacted(position: number): boolean {
    const sql = "SELECT 1 FROM history.__events WHERE position = ? AND redacted = 0";
    return super.prepared<[number], object>(sql).get(position) !== undefined;
  }

  /**
   * The rows of a table that changed since an earlier position, by the first column of their key,
   * including rows that changed back.
   *
   * @returns undefined if that is unknown, or comparing all rows is faster
   */
  changedSince(position: number, table: string): (string | number)[] | undefined {
    const number = numberOf(table);
    if (number === undefined) return undefined;
    const keys = super
      .prepared<[number, number, number], string | number>(CHANGED)
      .pluck()
      .all(number, position, this.position());
    return keys.length > MOST_CHANGED ? undefined : keys;
  }

  /** A table without ended versions is read as in the present: at one node instead of twenty. */
  #makeView(table: Table): void {
    const known = this.#hasEnded.get(table);
    const hasEnded = known || super.prepared<[], object>(endedSql(table)).get() !== undefined;
    if (known === hasEnded) return;
    this.#hasEnded.set(table, hasEnded);
    this.database.exec(`DROP VIEW IF EXISTS temp.${quote(table.name)}`);
    this.database.exec(momentViewSql(table, { hasEnded, isChecked: this.#isChecked }));
  }

  /** @returns the last event that the history covers */
  #goTo(position: number): number {
    this.forgetKnown();
    const head = headIn(super.prepared<[], HeadRow>(HEAD_SQL).get());
    // It may have grown meanwhile.
    for (const table of tables) this.#makeView(table);
    super.prepared<[number], never>("UPDATE temp.moment SET position = ?").run(position);
    super.prepared<[], never>("DELETE FROM temp.nodes").run();
    super
      .prepared<[string], never>("INSERT INTO temp.nodes SELECT value FROM json_each(?)")
      .run(JSON.stringify(nodesOver(position, head)));
    return head;
  }

  protected override prepared<Parameters extends unknown[] | object, Result>(sql: string) {
    for (const table of searched) if (sql.includes(`${table.name}_search`)) this.#bringSearchTo(table);
    return super.prepared<Parameters, Result>(sql);
  }

  /**
   * A match's rank depends on all other texts, so the full-text index is filled for each position.
   * It has no rows of its own: queries read them from the views, which check their checksums, so
   * filling the index needs no check.
   */
  #bringSearchTo(table: Table): void {
    const position = this.position();
    if (this.#searchedAt.get(table) === position) return;
    const index = quote(`${table.name}_search`);
    const columns = (table.search ?? []).map(quote).join(", ");
    super.prepared<[], never>(`INSERT INTO main.${index} (${index}) VALUES ('delete-all')`).run();
    super
      .prepared<[], never>(
        `INSERT INTO main.${index} (rowid, ${columns}) SELECT id, ${columns} FROM history.${quote(table.name)} WHERE ${holdsNow(true)}`,
      )
      .run();
    this.#searchedAt.set(table, position);
  }
}

const MOST_CHANGED = 5_000;
const CHANGED = `SELECT DISTINCT key FROM history.__changes
  WHERE tbl = ? AND position > ? AND position <= ? LIMIT ${MOST_CHANGED + 1}`;

const searched = tables.filter(({ search }) => search !== undefined);

const MOMENT = `
  CREATE TEMP TABLE moment (position INTEGER NOT NULL);
  INSERT INTO temp.moment VALUES (0);
  CREATE TEMP TABLE nodes (node INTEGER PRIMARY KEY);`;

/** The table `projections` as a fresh reduction up to this position has it. */
const CHECKPOINTS = `
  CREATE TEMP VIEW projections AS
  SELECT name, version, schema, position,
    coalesce((SELECT lower(hex(leaf_hash)) FROM history.__events e WHERE e.position = p.position), '') AS leaf_hash,
    head, head - position AS lag, iif(error IS NULL, 'live', 'stopped') AS state, error
  FROM (SELECT name, version, schema, moment.position AS head,
      iif(stopped_at < moment.position, stopped_at, moment.position) AS position,
      iif(stopped_at < moment.position, error, NULL) AS error
    FROM history.__projections, temp.moment) p`;
