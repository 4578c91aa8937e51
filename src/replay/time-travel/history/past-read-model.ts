import { existsSync } from "node:fs";
import Database from "better-sqlite3";
import { ReadModel } from "../../../projections/read-model.ts";
import { quote, type Table } from "../../../projections/table.ts";
import { views } from "../../../projections/views.ts";
import { HEAD_SQL, type HeadRow, headIn } from "./head.ts";
import { nodesOver } from "./nodes.ts";
import { addRowCheck } from "./row-sums.ts";
import { endedSql, holdsNow, momentViewSql, numberOf, tables } from "./version-tables.ts";

/**
 * A read model whose tables are those of one moment after the other, as the file of a history has them: temporary views over it go before
 * its own tables, which stay empty. For queries alone; nothing can be reduced.
 */
export class PastReadModel extends ReadModel {
  /** The history's file. */
  readonly path: string;
  readonly #isChecked: boolean;
  /** Whether any version of a table has ended, of each table whose view is made. */
  readonly #hasEnded = new Map<Table, boolean>();
  /** Of which position each index of words is. */
  readonly #searchedAt = new Map<Table, number>();

  /**
   * @param path of the history's file
   * @param isChecked whether a query fails that reads a row that is not what was written
   * @throws SqliteError: it is not there, cannot be read, or is damaged
   */
  constructor(path: string, isChecked = false) {
    super(":memory:");
    this.path = path;
    this.#isChecked = isChecked;
    const { database } = this;
    addRowCheck(database);
    database.pragma("temp_store = MEMORY");
    // Else SQLite would make an empty one where another process has just removed it.
    if (!existsSync(path)) throw new Database.SqliteError("the file is gone", "SQLITE_CANTOPEN");
    database.prepare("ATTACH ? AS history").run(path);
    database.exec(MOMENT);
    for (const table of tables) this.#makeView(table);
    database.exec(CHECKPOINTS);
    for (const { sql } of views) database.exec(sql.replace(/^CREATE VIEW/, "CREATE TEMP VIEW"));
  }

  /** Asks a question of the state after the event at a position, which the history has. */
  asOf<Answer>(position: number, question: (readModel: ReadModel) => Answer): Answer {
    return this.snapshot(() => {
      this.#goTo(position);
      return question(this);
    });
  }

  /** The same for a question that waits for something on its way; nothing else may be asked of this read model meanwhile. */
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
   * From now on everything is asked of that state, whatever is made of the history meanwhile. To be called once.
   *
   * @returns up to which event the history is made
   */
  stayAt(position: number): number {
    this.database.exec("BEGIN");
    return this.#goTo(position);
  }

  /** The leaf hash of an event that the history has. */
  leafHashAt(position: number): string | undefined {
    const sql = "SELECT lower(hex(leaf_hash)) FROM history.__events WHERE position = ?";
    return super.prepared<[number], string>(sql).pluck().get(position);
  }

  /** Whether an event was not redacted when it was reduced: what it said then may be in the tables. */
  hasUnredacted(position: number): boolean {
    const sql = "SELECT 1 FROM history.__events WHERE position = ? AND redacted = 0";
    return super.prepared<[number], object>(sql).get(position) !== undefined;
  }

  /**
   * The rows of a table that are not the same there and at an earlier position, by the first column of their key; those too that came
   * to be again what they were.
   *
   * @returns undefined if that is not known, or so many are that it is faster to compare all rows
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

  /** Rows of a table of which no version has ended are found as in the present: at one node instead of twenty. */
  #makeView(table: Table): void {
    const known = this.#hasEnded.get(table);
    const hasEnded = known || super.prepared<[], object>(endedSql(table)).get() !== undefined;
    if (known === hasEnded) return;
    this.#hasEnded.set(table, hasEnded);
    this.database.exec(`DROP VIEW IF EXISTS temp.${quote(table.name)}`);
    this.database.exec(momentViewSql(table, { hasEnded, isChecked: this.#isChecked }));
  }

  /** @returns up to which event the history is made */
  #goTo(position: number): number {
    this.forgetKnown();
    const head = headIn(super.prepared<[], HeadRow>(HEAD_SQL).get());
    // It may have been made further since.
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
   * How well a text matches depends on all the others, so the index of words is filled for this moment. It has no rows of its own:
   * queries take them from the views, which check them; so what goes into the index needs no check.
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

/** The table `projections` as a fresh reduction of the prefix has it. */
const CHECKPOINTS = `
  CREATE TEMP VIEW projections AS
  SELECT name, version, schema, position,
    coalesce((SELECT lower(hex(leaf_hash)) FROM history.__events e WHERE e.position = p.position), '') AS leaf_hash,
    head, head - position AS lag, iif(error IS NULL, 'live', 'stopped') AS state, error
  FROM (SELECT name, version, schema, moment.position AS head,
      iif(stopped_at < moment.position, stopped_at, moment.position) AS position,
      iif(stopped_at < moment.position, error, NULL) AS error
    FROM history.__projections, temp.moment) p`;
