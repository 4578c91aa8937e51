/**
 * Tables of the read model, declared once: the SQL and the types of rows both follow from the declaration. The tables
 * are STRICT, so a row that comes back has the declared types.
 *
 * @example
 * import { defineTable, integer, means, text } from "signalbox/projections";
 *
 * export const notes = defineTable("acme_notes", {
 *   description: "Notes on tasks.",
 *   columns: { id: integer, task_id: integer, author: means(text, "as the writer signed"), body: text },
 *   key: ["id"],
 *   indexes: { by_task: ["task_id"] },
 * });
 * console.log(notes.name);
 *
 * @throws Error: it has `search`, and another key than an integer `id`
 */
export function defineTable<
  const Name extends string,
  const Columns extends ColumnSet,
  Lookup extends keyof Columns & string,
  Index extends keyof Columns & string = never,
>(name: Name, definition: TableDefinition<Columns, Lookup, Index>): Table<Columns, Name, Lookup, Index> {
  const { search, key, columns } = definition;
  if (search && (key.join() !== "id" || columns.id?.sql !== "INTEGER" || columns.id.nullable)) {
    throw new Error(`The table "${name}" has \`search\`, which needs the key ["id"], an integer.`);
  }
  return Object.freeze({ name, ...definition });
}

/** `Lookup` and `Index`: as in `Table`. */
interface TableDefinition<Columns extends ColumnSet, Lookup extends string, Index extends string> {
  /**
   * A description for readers (docs/read-model.md); absent: an internal table without a contract.
   */
  readonly description?: string;
  readonly columns: Columns;
  /** The primary key's columns, which also give the order of rows. */
  readonly key: readonly [Lookup, ...(keyof Columns & string)[]];
  /** Indexes that reducers search by: they exist from the first row on. */
  readonly lookups?: IndexSet<Lookup, keyof Columns & string>;
  /** Indexes for readers only: a rebuild makes them last. */
  readonly indexes?: IndexSet<Index, keyof Columns & string>;
  /** Columns in which words can be searched, in the FTS5 table `<name>_search`; the key is `id` then, an integer. */
  readonly search?: readonly (keyof Columns & string)[];
}

/**
 * `Lookup` are the columns with which its key and its lookups begin: reducers find rows by these. `Index` are those of its
 * indexes: readers find rows by these too.
 */
export interface Table<
  Columns extends ColumnSet = ColumnSet,
  Name extends string = string,
  Lookup extends string = string,
  Index extends string = string,
> {
  readonly name: Name;
  readonly description?: string;
  readonly columns: Columns;
  readonly key: readonly [Lookup, ...string[]];
  readonly lookups?: IndexSet<Lookup>;
  readonly indexes?: IndexSet<Index>;
  readonly search?: readonly string[];
}

type IndexSet<First extends string, Column extends string = string> = Readonly<
  Record<string, readonly [First, ...Column[]]>
>;
export type ColumnSet = Readonly<Record<string, Column<unknown>>>;

export interface Column<Value> {
  readonly sql: "INTEGER" | "TEXT" | "ANY";
  readonly nullable: boolean;
  readonly values?: readonly string[] | readonly number[];
  /** True: its text is JSON. */
  readonly json?: true;
  /** For readers, if the name is not clear enough. */
  readonly meaning?: string;
  /** Type carrier; not present at run time. */
  readonly _value?: Value;
}

export const integer: Column<number> = { sql: "INTEGER", nullable: false };
export const text: Column<string> = { sql: "TEXT", nullable: false };
/** A number or a text. */
export const either: Column<number | string> = { sql: "ANY", nullable: false };
/** SQLite's boolean. */
export const flag: Column<0 | 1> = { sql: "INTEGER", nullable: false, values: [0, 1] };
/** JSON as text. */
export const json: Column<string> = { sql: "TEXT", nullable: false, json: true };

export function oneOf<const Value extends string>(values: readonly Value[]): Column<Value> {
  return { sql: "TEXT", nullable: false, values };
}

export function nullable<Value>(column: Column<Value>): Column<Value | null> {
  return { ...column, nullable: true } as Column<Value | null>;
}

/** The same column with a description for readers. */
export function means<Value>(column: Column<Value>, meaning: string): Column<Value> {
  return { ...column, meaning };
}

export function toFlag(value: boolean): 0 | 1 {
  return value ? 1 : 0;
}

type ValueOf<C> = C extends Column<infer Value> ? Value : never;
export type Row<T extends Table> = { -readonly [Name in keyof T["columns"]]: ValueOf<T["columns"][Name]> };

type NullableNames<R> = { [Name in keyof R]: null extends R[Name] ? Name : never }[keyof R];
/** A row to insert: nullable columns may be left out. */
export type NewRow<T extends Table> = Omit<Row<T>, NullableNames<Row<T>>> & Partial<Row<T>>;

/** SQL that creates the table under a name of its own. */
export function createTableSql(table: Table, as: string): string {
  const columns = Object.entries(table.columns).map(([name, column]) => {
    const check = column.values
      ? ` CHECK (${quote(name)} IN (${column.values.map((value) => literal(value)).join(", ")}))`
      : "";
    return `${quote(name)} ${column.sql}${column.nullable ? "" : " NOT NULL"}${check}`;
  });
  const key = `PRIMARY KEY (${table.key.map(quote).join(", ")})`;
  const rowid = table.key.length === 1 && table.columns[table.key[0] ?? ""]?.sql === "INTEGER";
  return `CREATE TABLE ${quote(as)} (${[...columns, key].join(", ")}) STRICT${rowid ? "" : ", WITHOUT ROWID"}`;
}

/** SQL that creates the indexes that reducers search by. */
export function createLookupSql(table: Table, as: string): string[] {
  return indexSql(as, table.lookups);
}

/** SQL that creates the indexes that only readers need. */
export function createIndexSql(table: Table, as: string): string[] {
  return indexSql(as, table.indexes);
}

/** The current database name of a part of a declared table; a rebuild uses others. */
export type NameOf = (declared: { readonly name: string }) => string;

/** SQL that creates and fills the full-text index, and the triggers that maintain it. */
export function createSearchSql(table: Table, nameOf: NameOf = declaredName): string[] {
  if (!table.search) return [];
  const index = quote(nameOf(searchOf(table)));
  const names = table.search.map(quote).join(", ");
  return [
    `CREATE VIRTUAL TABLE ${index} USING fts5 (${names}, content=${literal(table.name)}, content_rowid='id', tokenize='unicode61')`,
    `INSERT INTO ${index} (rowid, ${names}) SELECT id, ${names} FROM ${quote(nameOf(table))}`,
    ...searchTriggers(table, nameOf).map(({ create }) => create),
  ];
}

/** SQL that renames a rebuild's table and its full-text index to the declared name. */
export function renameTableSql(table: Table, nameOf: NameOf): string[] {
  const renamed = table.search ? [table, searchOf(table)] : [table];
  return [
    ...searchTriggers(table, nameOf).map(({ name }) => `DROP TRIGGER ${quote(name)}`),
    ...renamed.map((one) => `ALTER TABLE ${quote(nameOf(one))} RENAME TO ${quote(one.name)}`),
    ...searchTriggers(table, declaredName).map(({ create }) => create),
  ];
}

/** SQL that drops the table and everything that belongs to it. */
export function dropTableSql(table: Table, nameOf: NameOf = declaredName): string[] {
  const dropped = table.search ? [searchOf(table), table] : [table];
  return dropped.map((one) => `DROP TABLE IF EXISTS ${quote(nameOf(one))}`);
}

export function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function indexSql(as: string, indexes: Table["indexes"]): string[] {
  return Object.entries(indexes ?? {}).map(
    ([name, columns]) =>
      `CREATE INDEX ${quote(`${as}__${name}`)} ON ${quote(as)} (${columns.map(quote).join(", ")})`,
  );
}

function declaredName({ name }: { readonly name: string }): string {
  return name;
}

/** A table's full-text index. */
function searchOf({ name }: Table): { readonly name: string } {
  return { name: `${name}_search` };
}

function searchTriggers(table: Table, nameOf: NameOf): { readonly name: string; readonly create: string }[] {
  const { search } = table;
  if (!search) return [];
  const as = nameOf(table);
  const index = quote(nameOf(searchOf(table)));
  const names = search.map(quote).join(", ");
  const valuesOf = (row: "old" | "new") => search.map((column) => `${row}.${quote(column)}`).join(", ");
  const remove = `INSERT INTO ${index} (${index}, rowid, ${names}) VALUES ('delete', old.id, ${valuesOf("old")})`;
  const add = `INSERT INTO ${index} (rowid, ${names}) VALUES (new.id, ${valuesOf("new")})`;
  const trigger = (event: string, after: string, work: string) => {
    const name = `${as}__search_${event}`;
    return {
      name,
      create: `CREATE TRIGGER ${quote(name)} AFTER ${after} ON ${quote(as)} BEGIN ${work}; END`,
    };
  };
  return [
    trigger("insert", "INSERT", add),
    trigger("delete", "DELETE", remove),
    trigger("update", `UPDATE OF ${names}`, `${remove}; ${add}`),
  ];
}

function literal(value: string | number): string {
  return typeof value === "number" ? String(value) : `'${value.replaceAll("'", "''")}'`;
}
