import {
  type Compilable,
  DummyDriver,
  type Expression,
  type InferResult,
  Kysely,
  type RawBuilder,
  type SqlBool,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from "kysely";
import type { KnownProjection } from "../projections/all.ts";
import type { Row, Table } from "../projections/table.ts";
import type { views } from "../projections/views.ts";

type TablesOf<P> = P extends { readonly tables: infer Tables } ? Tables[keyof Tables] : never;
type AnyTable = Extract<TablesOf<KnownProjection>, Table>;
type AnyView = (typeof views)[number];

/** The row types of every table and view of the read model, from `defineTable` and views.ts. */
export type Schema = { [T in AnyTable as T["name"]]: Row<T> } & {
  [V in AnyView as V["name"]]: Row<Table<V["columns"]>>;
} & WordIndexes;

/**
 * The FTS5 tables (`search` of `defineTable`): a search matches against the column that has the
 * table's name.
 */
type WordIndexes = {
  [Name in "learnings_search" | "learning_sources_search"]: { rowid: number; rank: number } & {
    [Column in Name]: string;
  };
};

/** What questions are built from. */
export type Tables = Kysely<Schema>;

/** Named values bound to a question. */
export type Given = Readonly<Record<string, string | number | null>>;

/**
 * A question's parameters: `given("task")` stands for a value that is bound when the question is
 * asked.
 */
export type Open<Values extends Given> = <Name extends keyof Values & string>(
  name: Name,
) => RawBuilder<Values[Name]>;

/** A question to the read model with a fixed text: `readModel.all(QUESTION, { task: 7 })`. */
export interface Question<Values extends Given, Answer> {
  readonly sql: string;
  /** Type carriers; not present at run time. */
  readonly _values?: Values;
  readonly _answer?: Answer;
}

/** The row type of its answer. */
export type RowOf<Q> = Q extends Question<Given, infer Answer> ? Answer : never;

/**
 * Declares a question. The compiler checks tables and columns by the declarations of the tables, and knows the rows that come back; the
 * text is built when it is first asked, and stays.
 *
 * @example
 * const OF_TASK = question<{ task: number }>()((tables, given) =>
 *   tables.selectFrom("comments").selectAll().where("task_id", "=", given("task")).orderBy("id"));
 */
export function question<Values extends Given = Record<never, never>>() {
  return <Built extends Compilable>(
    build: (tables: Tables, given: Open<Values>) => Built,
  ): Question<Values, InferResult<Built> extends (infer Answer)[] ? Answer : never> => {
    let text: string | undefined;
    return {
      get sql() {
        text ??= build(tables, (name) => sql`${sql.raw(`:${name}`)}`).compile().sql;
        return text;
      },
    };
  };
}

/** The values of a list that is passed as JSON, so that one text serves lists of any length. */
export function valuesIn<Value>(list: Expression<string | null>): RawBuilder<Value> {
  return sql<Value>`(SELECT value FROM json_each(${list}))`;
}

/** The same as a table expression: `key` is the index of a value in the list. */
export function rowsIn<Value>(list: Expression<string>): RawBuilder<{ key: number; value: Value }> {
  return sql`json_each(${list})`;
}

/** Whether a column equals the parameter; with NULL every row matches. */
export function fits<Value>(column: Expression<Value>, value: RawBuilder<Value | null>): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${value} IS NULL OR ${column} = ${value})`;
}

/** Keeps SQLite from using an index on a column, with SQL's unary plus. */
export function unsearched<Value>(column: Expression<Value>): RawBuilder<Value> {
  return sql<Value>`+${column}`;
}

/** Inlines the program's literals, since SQLite chooses indexes by them. Parameters are bound. */
class CompilerWithValues extends SqliteQueryCompiler {
  protected override appendValue(value: unknown): void {
    this.appendImmediateValue(value);
  }
}

/** Only builds text: the read model runs it. */
const tables: Tables = new Kysely<Schema>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (database) => new SqliteIntrospector(database),
    createQueryCompiler: () => new CompilerWithValues(),
  },
});
