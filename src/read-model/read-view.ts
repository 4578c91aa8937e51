import type { IndexedRowsOf, TableSet } from "../projections/projection.ts";
import type { Given, Question } from "./question.ts";

/** Read-only access to the read model, consistent as of one position. */
export interface ReadView {
  /** The position that the tables reflect. */
  position(): number;

  /** Every row of a question's answer. */
  all<Values extends Given, Answer>(question: Question<Values, Answer>, values: Values): Answer[];

  /** The first row of a question's answer. */
  get<Values extends Given, Answer>(question: Question<Values, Answer>, values: Values): Answer | undefined;

  /**
   * The rows of a question's answer, one at a time; nothing may be written until the last one was
   * read.
   */
  each<Values extends Given, Answer>(
    question: Question<Values, Answer>,
    values: Values,
  ): IterableIterator<Answer>;

  /** The rows of some tables, by their declared keys and indexes. */
  rowsOf<Tables extends TableSet>(tables: Tables): ReadRowsOf<Tables>;
}

/** What questions see of these tables. */
export type ReadRowsOf<Tables extends TableSet> = {
  readonly [Name in keyof Tables]: Pick<IndexedRowsOf<Tables>[Name], "get" | "where" | "first" | "scan">;
};
