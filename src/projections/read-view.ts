import type { RowsOf, TableSet } from "./projection.ts";
import type { Given, Question } from "./question.ts";

/** What may be asked of the read model: the tables as of one position, and no way to change them. */
export interface ReadView {
  /** The position up to which the tables are made. */
  position(): number;

  /** Every row that answers a question. */
  all<Values extends Given, Answer>(question: Question<Values, Answer>, values: Values): Answer[];

  /** The first row that answers a question. */
  get<Values extends Given, Answer>(question: Question<Values, Answer>, values: Values): Answer | undefined;

  /** The rows that answer a question, one after the other; until the last one was taken nothing may be written. */
  each<Values extends Given, Answer>(
    question: Question<Values, Answer>,
    values: Values,
  ): IterableIterator<Answer>;

  /** The rows of some tables, by the keys and lookups that these declare. */
  rowsOf<Tables extends TableSet>(tables: Tables): ReadRowsOf<Tables>;
}

type ReadRowsOf<Tables extends TableSet> = {
  readonly [Name in keyof RowsOf<Tables>]: Pick<RowsOf<Tables>[Name], "get" | "where" | "first">;
};
