import type { z } from "zod";
import type { Decision } from "../../../decisions/decide.ts";
import type { PageWords } from "../../../operations/page-words.ts";

/** An action of the page: `POST /api/acts/NAME`. It is one decision, as with any command. */
export interface ActDefinition<Name extends string, Input extends z.ZodObject> {
  readonly name: Name;
  readonly input: Input;
  /** @param actor the name in the log */
  decision(input: z.output<Input>, actor: string): Decision;
}

export function defineAct<const Name extends string, Input extends z.ZodObject>(
  definition: ActDefinition<Name, Input>,
): ActDefinition<Name, Input> {
  return definition;
}

/** The act by which the page offers an operation. @throws Error: its definition has no `page` */
export function actOf<Input extends z.ZodObject, Name extends string, Given extends z.ZodObject>(
  operation: ((input: z.input<Input>) => Decision) & { readonly page?: PageWords<Input, Name, Given> },
): ActDefinition<Name, Given> {
  const { page } = operation;
  if (!page) throw new Error("The page cannot offer this operation: its definition has no `page`.");
  const { name, takes, input } = page;
  return { name, input: takes, decision: (given, actor) => operation(input(given, actor)) };
}

/** The last recorded event. */
export interface Acted {
  readonly position: number;
  readonly type: string;
  /** The task that it is about. */
  readonly task: number | null;
}
