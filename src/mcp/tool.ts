import type { z } from "zod";
import { type Decided, type Decision, decide } from "../decisions/decide.ts";
import type { Store } from "../decisions/store.ts";
import { AGENT } from "../events/actors.ts";
import type { EventType } from "../events/types/index.ts";
import type { ToolName } from "../operations/tool-names.ts";
import type { AskHuman } from "./answers/recorded.ts";
import type { OwnSessions } from "./own-sessions.ts";
import type { GatesOfCall } from "./verifying/gates-of-call.ts";

/**
 * One tool, as data: server, listing, `describe` and docs/tools.md all take it from here. To add one: its name in
 * tool-names.ts, its definition in the file of its family in tools/, and the recipes that have it in recipes.ts.
 *
 * @example
 * export const deleteTaskTool = defineTool({
 *   name: "delete_task",
 *   title: "Delete a task",
 *   description: "Takes a task off the board. Fails if other tasks depend on it.",
 *   input: z.strictObject({ id: taskId }),
 *   output: z.strictObject({ deleted: taskId }),
 *   annotations: DELETING,
 *   command: "task delete",
 *   example: { id: 7 },
 *   async run({ id }, call) {
 *     await decideFor(call, deleteTask({ task: id }));
 *     return { deleted: id };
 *   },
 * });
 */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  definition: ToolDefinition<Input, Output>,
): Tool {
  // The server runs a tool on arguments that its `input` has checked; a tool whose input is not known cannot say so.
  return Object.freeze(definition) as unknown as Tool;
}

export type Tool = ToolDefinition<z.ZodObject, z.ZodObject>;

interface ToolDefinition<Input extends z.ZodObject, Output extends z.ZodObject> {
  /** A bare snake_case word of at most 64 characters. */
  readonly name: ToolName;
  readonly title: string;
  /** What it does, and when it fails; each word is in the context of every agent that has the tool. */
  readonly description: string;
  readonly input: Input;
  /** What `run` answers. */
  readonly output: Output;
  readonly annotations: Annotations;
  /** The command that does the same by the same decision: `task add`. */
  readonly command: string;
  /** Arguments that docs print, and that a test calls it with. */
  readonly example: z.input<Input>;
  /** The argument that names a task or a discipline, which a recipe may fix to the session's own. */
  readonly target?: { readonly field: keyof z.input<Input> & string; readonly of: "task" | "discipline" };
  /** True: the list shows of its answer only that it is an object, since each word of it costs (decision 0017). */
  readonly terse?: boolean;
  /**
   * Does it. Whatever it records is durable when it resolves.
   *
   * @throws ToolRefusal, Refusal, LogError: nothing was recorded, and the message says why
   */
  run(args: z.output<Input>, call: Call): Promise<z.output<Output>>;
  /**
   * Completes what `run` answered by something that takes its time; other calls are worked on meanwhile. What `run`
   * recorded stays recorded, so this throws nothing.
   */
  afterwards?(answer: z.output<Output>, args: z.output<Input>, call: Call): Promise<z.output<Output>>;
}

/** One call of a tool: what it may use besides its arguments. */
export interface Call {
  readonly store: Store;
  readonly sessions: OwnSessions;
  /** The id of the event, where a call records one fact: the same for a call that the client sends again. */
  readonly eventId: string;
  /** The key of its decision, where the client names its calls. */
  readonly key: string | undefined;
  /** Asks the human at the client; absent where the client cannot. */
  readonly askHuman?: AskHuman | undefined;
  /** Runs gates in the session's workspace; absent where the server runs none, as in a replay. */
  readonly gates?: GatesOfCall | undefined;
}

/** Takes a decision as the agent, in the course of its session; a call that is sent again is not decided again. */
export async function decideFor<First extends EventType>(
  { store, sessions, key }: Call,
  decision: Decision<First>,
): Promise<Decided<First>> {
  const isOwn = (session: string) => sessions.find(session) !== undefined;
  return decide(store, decision, { actor: AGENT, key, correlation: sessions.label, isOwn });
}

interface Annotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** Reports only ever add to the log, and adding one again under its key changes nothing. */
export const REPORTING: Annotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

export const READING: Annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** It makes something that was not there; called again it makes another one, or is refused. */
export const CREATING: Annotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
};

/** It replaces what was there, which stays in the log alone; called again it changes nothing more. */
export const CHANGING: Annotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: false,
};

/** It takes something away; called again it is refused. */
export const DELETING: Annotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: false,
};
