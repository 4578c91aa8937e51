import type { z } from "zod";
import type { ToolName } from "./tool-names.ts";

/**
 * An operation or question as a tool for agents. `Answered` is the basis of its answer: a completed
 * operation, or the data read.
 */
export interface ToolWords<Input, Answered, Args extends z.ZodObject, Output extends z.ZodObject> {
  /** A bare snake_case word of at most 64 characters. */
  readonly name: ToolName;
  readonly title: string;
  /** What it does, and when it fails; each word costs context in every agent that has the tool. */
  readonly description: string;
  /** The command with the same effect, if it belongs to another operation: `project show`. */
  readonly command?: string;
  readonly takes: Args;
  /** Converts the tool's arguments to the input. */
  input(args: z.output<Args>): Input;
  readonly gives: Output;
  /** Its answer; absent: the command's JSON output. */
  answer?(answered: Answered, args: z.output<Args>): z.output<Output>;
  /** Its effect on existing data; absent: it only reads. */
  readonly effect?: "creating" | "adding" | "changing" | "deleting";
  /** Arguments that docs print, and that a test calls it with. */
  readonly example: z.input<Args>;
  /** The argument that names a task or discipline, which a recipe may fix to the session's own. */
  readonly target?: { readonly field: keyof z.input<Args> & string; readonly of: "task" | "discipline" };
  /**
   * True: the listing only says that its answer is an object, since each word costs context
   * (decision 0017).
   */
  readonly terse?: boolean;
}

/** The same of unknown types; see `Operation`. */
export interface AnyToolWords
  extends Omit<ToolWords<unknown, unknown, z.ZodObject, z.ZodObject>, "input" | "answer"> {
  input(args: never): unknown;
  answer?(answered: never, args: never): Record<string, unknown>;
}
