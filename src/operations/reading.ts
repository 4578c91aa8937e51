import type { z } from "zod";
import type { PartOf } from "../lib/page.ts";
import type { ReadModel } from "../projections/read-model.ts";
import type { AnyCommandWords, CommandWords } from "./command-words.ts";
import type { AnyToolWords, ToolWords } from "./tool-words.ts";

/** A question that a person, a driver or an agent may ask, defined once: as `defineOperation`, and nothing is recorded. */
export function defineReading<
  Input extends z.ZodObject,
  Answer,
  Args extends z.ZodObject,
  Output extends z.ZodObject,
>(definition: ReadingDefinition<Input, Answer, Args, Output>) {
  return definition;
}

/** A question as those see it that do not know its types; see `Operation`. */
export interface Reading {
  readonly input: z.ZodObject;
  ask(readModel: ReadModel, input: never): unknown;
  readonly command?: AnyCommandWords;
  readonly tool?: AnyToolWords;
}

export interface ReadingDefinition<
  Input extends z.ZodObject,
  Answer,
  Args extends z.ZodObject,
  Output extends z.ZodObject,
> {
  readonly input: Input;
  /** Answers from the read model, all of it as of one position. @throws Refusal `not_found` */
  ask(readModel: ReadModel, input: z.input<Input>): Answer;
  readonly command?: CommandWords<z.input<Input>, Answer>;
  readonly tool?: ToolWords<z.input<Input>, Answer, Args, Output>;
}

/** The same for a list that comes in pages: `ask` gives the rows behind a key, at most so many. */
export function definePages<Input extends z.ZodObject, Row, Key extends string | number>(
  definition: PagesDefinition<Input, Row, Key>,
) {
  return definition;
}

/** A list as those see it that do not know its types; see `Operation`. */
export interface Pages {
  readonly input: z.ZodObject;
  readonly rows: string;
  readonly key: z.ZodType;
  keyOf(row: never): string | number;
  ask(readModel: ReadModel, input: never): readonly unknown[];
  brief?(readModel: ReadModel, input: never): readonly unknown[];
  readonly command?: AnyCommandWords;
}

export interface PagesDefinition<Input extends z.ZodObject, Row, Key extends string | number> {
  readonly input: Input;
  /** What the rows are called in what the command prints as JSON. */
  readonly rows: string;
  /** What a row is known by: each page begins behind one. */
  readonly key: z.ZodType<Key>;
  keyOf(row: Row): Key;
  /** @throws PageError */
  ask(readModel: ReadModel, input: z.input<Input> & PartOf<Key>): readonly Row[];
  /** The same rows, of each no more than the command says in words, where that costs less. */
  brief?(readModel: ReadModel, input: z.input<Input> & PartOf<Key>): readonly Row[];
  /** What it says is told the key that the page begins behind. */
  readonly command?: CommandWords<z.input<Input> & { readonly after?: Key }, readonly Row[]>;
}
