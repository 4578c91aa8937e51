import type { z } from "zod";
import type { ToolName } from "./tool-names.ts";

/** How an operation or a question is offered to agents. `Answered` is what its answer is made of: an operation that was done, or what was read. */
export interface ToolWords<Input, Answered, Args extends z.ZodObject, Output extends z.ZodObject> {
  /** A bare snake_case word of at most 64 characters. */
  readonly name: ToolName;
  readonly title: string;
  /** What it does, and when it fails; each word is in the context of every agent that has the tool. */
  readonly description: string;
  /** The command that does the same, where that is another's: `project show`. */
  readonly command?: string;
  readonly takes: Args;
  /** The input, of the tool's arguments. */
  input(args: z.output<Args>): Input;
  readonly gives: Output;
  /** What it answers; absent: what the command prints. */
  answer?(answered: Answered, args: z.output<Args>): z.output<Output>;
  /** What it does to what was there; absent: it only reads. */
  readonly effect?: "creating" | "adding" | "changing" | "deleting";
  /** Arguments that docs print, and that a test calls it with. */
  readonly example: z.input<Args>;
  /** The argument that names a task or a discipline, which a recipe may fix to the session's own. */
  readonly target?: { readonly field: keyof z.input<Args> & string; readonly of: "task" | "discipline" };
  /** True: the list shows of its answer only that it is an object, since each word of it costs (decision 0017). */
  readonly terse?: boolean;
}

/** The same of unknown types; see `Operation`. */
export interface AnyToolWords
  extends Omit<ToolWords<unknown, unknown, z.ZodObject, z.ZodObject>, "input" | "answer"> {
  input(args: never): unknown;
  answer?(answered: never, args: never): Record<string, unknown>;
}
