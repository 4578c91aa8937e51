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
 * One tool, as data: the server, its list, `describe` and docs/tools.md all take it from here. A tool that only takes a decision
 * is not written by hand: its operation has it (src/operations).
 *
 * @param definition its name is one of src/operations/tool-names.ts; the recipes that have it are in recipes.ts
 */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  definition: ToolDefinition<Input, Output>,
): Tool {
  // The server runs a tool on arguments checked by its `input`; a tool of unknown input type cannot
  // show that.
  return Object.freeze(definition) as unknown as Tool;
}

export type Tool = ToolDefinition<z.ZodObject, z.ZodObject>;

interface ToolDefinition<Input extends z.ZodObject, Output extends z.ZodObject> {
  /** A bare snake_case word of at most 64 characters. */
  readonly name: ToolName;
  readonly title: string;
  /** What it does, and when it fails; each word costs context in every agent that has the tool. */
  readonly description: string;
  readonly input: Input;
  /** The answer of `run`. */
  readonly output: Output;
  readonly annotations: Annotations;
  /** The command for the same decision: `task add`. */
  readonly command: string;
  /** Arguments that docs print, and that a test calls it with. */
  readonly example: z.input<Input>;
  /** The argument that names a task or discipline, which a recipe may fix to the session's own. */
  readonly target?: { readonly field: keyof z.input<Input> & string; readonly of: "task" | "discipline" };
  /**
   * True: the listing only says that its answer is an object, since each word costs context
   * (decision 0017).
   */
  readonly terse?: boolean;
  /**
   * Runs it. Everything it records is durable when it resolves.
   *
   * @throws ToolRefusal, Refusal, LogError: nothing was recorded, and the message says why
   */
  run(args: z.output<Input>, call: Call): Promise<z.output<Output>>;
  /**
   * Completes the answer of `run` with slow work; other calls run meanwhile. The records of `run`
   * stay, so this must not throw.
   */
  afterwards?(answer: z.output<Output>, args: z.output<Input>, call: Call): Promise<z.output<Output>>;
}

/** The context of one call, besides its arguments. */
export interface Call {
  readonly store: Store;
  readonly sessions: OwnSessions;
  /** The event's id, if a call records one fact: the same for a repeated call. */
  readonly eventId: string;
  /** The key of its decision, if the client names its calls. */
  readonly key: string | undefined;
  /** Asks the human at the client; absent if the client cannot. */
  readonly askHuman?: AskHuman | undefined;
  /** Runs gates in the session's workspace; absent if the server runs none, as in a replay. */
  readonly gates?: GatesOfCall | undefined;
}

/** Makes a decision as the agent, during its session; a repeated call gets the first answer. */
export async function decideFor<First extends EventType>(
  { store, sessions, key }: Call,
  decision: Decision<First>,
): Promise<Decided<First>> {
  // A session without a task has no reporter.
  const isOwn = (session: string) => session === sessions.label || sessions.find(session) !== undefined;
  return decide(store, decision, { actor: AGENT, key, correlation: sessions.label, isOwn });
}

interface Annotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** Reports only append to the log, and repeating one under its key changes nothing. */
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

/** It creates something; repeated, it creates another one, or is refused. */
export const CREATING: Annotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
};

/**
 * It replaces a value, whose old version stays only in the log; repeated, it changes nothing more.
 */
export const CHANGING: Annotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: false,
};

/** It removes something; repeated, it is refused. */
export const DELETING: Annotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: false,
};
