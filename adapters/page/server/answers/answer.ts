import type { z } from "zod";
import type { Moment } from "../moment.ts";

/** A query of the page: `GET /api/NAME`. `at` selects the position. */
export interface AnswerDefinition<Name extends string, Query extends z.ZodObject, Answer> {
  readonly name: Name;
  /** The query parameters besides `at`; all values are text. */
  readonly query: Query;
  /** False: it reads only files as they are now, so that `at` is refused. */
  readonly hasPast: boolean;
  answer(moment: Moment, query: z.output<Query>): Answer | Promise<Answer>;
}

export function defineAnswer<const Name extends string, Query extends z.ZodObject, Answer>(
  definition: Omit<AnswerDefinition<Name, Query, Answer>, "hasPast"> & { readonly hasPast?: false },
): AnswerDefinition<Name, Query, Answer> {
  return { hasPast: true, ...definition };
}

/** The response. */
export interface Answered<Answer> {
  /** The position that the answer is of. */
  readonly position: number;
  /** The time that the server took, in milliseconds. */
  readonly took_ms: number;
  readonly answer: Answer;
}

/** The response with status 202 while the log is read up to the position: the progress. */
export interface Reading {
  readonly reading: { readonly position: number; readonly of: number };
}
