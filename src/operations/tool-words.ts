import type { z } from "zod";
import type { EventType } from "../events/types/index.ts";
import type { Done } from "./operation.ts";
import type { ToolName } from "./tool-names.ts";

/** How an operation is offered to agents. */
export interface ToolWords<
  First extends EventType,
  Input extends z.ZodObject,
  Args extends z.ZodObject,
  Output extends z.ZodObject,
> {
  /** A bare snake_case word of at most 64 characters. */
  readonly name: ToolName;
  readonly title: string;
  /** What it does, and when it fails; each word is in the context of every agent that has the tool. */
  readonly description: string;
  readonly takes: Args;
  /** The operation's input, of the tool's arguments. */
  input(args: z.output<Args>): z.input<Input>;
  readonly gives: Output;
  answer(done: Done<First, Input>): z.output<Output>;
  /** What it does to what was there. */
  readonly effect: "creating" | "changing" | "deleting";
  /** Arguments that docs print, and that a test calls it with. */
  readonly example: z.input<Args>;
  /** The argument that names a task or a discipline, which a recipe may fix to the session's own. */
  readonly target?: { readonly field: keyof z.input<Args> & string; readonly of: "task" | "discipline" };
  /** True: the list shows of its answer only that it is an object, since each word of it costs (decision 17). */
  readonly terse?: boolean;
}

export interface AnyToolWords
  extends Omit<ToolWords<EventType, z.ZodObject, z.ZodObject, z.ZodObject>, "input" | "answer"> {
  input(args: never): unknown;
  answer(done: never): Record<string, unknown>;
}
