import type { z } from "zod";
import type { ReadModel } from "../projections/read-model.ts";
import type { AnyCommandWords, CommandWords } from "./command-words.ts";

/** A question that a person, a driver or an agent may ask, defined once: as `defineOperation`, and nothing is recorded. */
export function defineReading<Input extends z.ZodObject, Answer>(
  definition: ReadingDefinition<Input, Answer>,
) {
  return definition;
}

/** A question as those see it that do not know its types; see `Operation`. */
export interface Reading {
  readonly input: z.ZodObject;
  ask(readModel: ReadModel, input: never): unknown;
  readonly command?: AnyCommandWords;
}

export interface ReadingDefinition<Input extends z.ZodObject, Answer> {
  readonly input: Input;
  /** Answers from the read model, all of it as of one position. @throws Refusal `not_found` */
  ask(readModel: ReadModel, input: z.input<Input>): Answer;
  readonly command?: CommandWords<z.input<Input>, Answer>;
}
