import type { z } from "zod";
import type { PartOf } from "../lib/page.ts";
import type { ReadModel } from "../read-model/read-model.ts";
import type { AnyCommandWords, CommandWords } from "./command-words.ts";
import type { AnyToolWords, ToolWords } from "./tool-words.ts";

/**
 * A question of a person, a driver or an agent, defined once, like `defineOperation`, but recording
 * nothing.
 */
export function defineReading<
  Input extends z.ZodObject,
  Answer,
  Args extends z.ZodObject,
  Output extends z.ZodObject,
>(definition: ReadingDefinition<Input, Answer, Args, Output>) {
  return definition;
}

/** A question whose types are unknown; see `Operation`. */
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
  /** Answers from the read model, consistently as of one position. @throws Refusal `not_found` */
  ask(readModel: ReadModel, input: z.input<Input>): Answer;
  readonly command?: CommandWords<z.input<Input>, Answer>;
  readonly tool?: ToolWords<z.input<Input>, Answer, Args, Output>;
}

/** The same for a paged list: `ask` returns a limited number of rows after a key. */
export function definePages<Input extends z.ZodObject, Row, Key extends string | number>(
  definition: PagesDefinition<Input, Row, Key>,
) {
  return definition;
}

/** A list whose types are unknown; see `Operation`. */
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
  /** The field for the rows in the command's JSON output. */
  readonly rows: string;
  /** A row's key: a page starts after one. */
  readonly key: z.ZodType<Key>;
  keyOf(row: Row): Key;
  /** @throws PageError */
  ask(readModel: ReadModel, input: z.input<Input> & PartOf<Key>): readonly Row[];
  /** The same rows with only the printed fields, if that is cheaper. */
  brief?(readModel: ReadModel, input: z.input<Input> & PartOf<Key>): readonly Row[];
  /** Its printed lines; gets the key after which the page starts. */
  readonly command?: CommandWords<z.input<Input> & { readonly after?: Key }, readonly Row[]>;
}
