import type { z } from "zod";

/** An operation's act on the page: `POST /api/acts/NAME`. */
export interface PageWords<Input extends z.ZodObject, Name extends string, Given extends z.ZodObject> {
  readonly name: Name;
  /** The fields that the page sends. */
  readonly takes: Given;
  /** Converts them to the operation's input. @param actor the actor's name in the log */
  input(given: z.output<Given>, actor: string): z.input<Input>;
}
