import type { z } from "zod";
import type { Moment } from "../moment.ts";

/** Something that the page asks: `GET /api/NAME`. Every answer can be had as of any position, by `at`. */
export interface AnswerDefinition<Name extends string, Query extends z.ZodObject, Answer> {
  readonly name: Name;
  /** What the address may ask for, besides `at`; every value is a text there. */
  readonly query: Query;
  answer(moment: Moment, query: z.output<Query>): Answer | Promise<Answer>;
}

export function defineAnswer<const Name extends string, Query extends z.ZodObject, Answer>(
  definition: AnswerDefinition<Name, Query, Answer>,
): AnswerDefinition<Name, Query, Answer> {
  return definition;
}

/** What comes back. */
export interface Answered<Answer> {
  /** Of the last event that the answer knows. */
  readonly position: number;
  /** How long the server worked on it: milliseconds. */
  readonly took_ms: number;
  readonly answer: Answer;
}

/** What comes instead, with status 202, while a moment far back is made ready: how far the log is read, and how far it has to be. */
export interface Reading {
  readonly reading: { readonly position: number; readonly of: number };
}
