import type { z } from "zod";

/** How a person does it on the page: `POST /api/acts/NAME`. */
export interface PageWords<Input extends z.ZodObject, Name extends string, Given extends z.ZodObject> {
  readonly name: Name;
  /** What the page gives. */
  readonly takes: Given;
  /** The operation's input, of what the page gives. @param actor who decides, as the log names them */
  input(given: z.output<Given>, actor: string): z.input<Input>;
}
