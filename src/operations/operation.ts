import type { z } from "zod";
import type { Decided, Decision, IsOwn, PlannedEvent } from "../decisions/decide.ts";
import { Refusal } from "../decisions/refusal.ts";
import type { State } from "../decisions/state.ts";
import type { Event, EventType } from "../events/types/index.ts";
import type { ReadModel } from "../read-model/read-model.ts";
import type { AnyCommandWords, CommandWords } from "./command-words.ts";
import type { PageWords } from "./page-words.ts";
import type { AnyToolWords, ToolWords } from "./tool-words.ts";

/**
 * Something that a person, a driver or an agent may do, defined once. The result is called with its input and gives the
 * decision, for `project.decide`; the command, the tool, the page's act and the reference docs follow from the definition.
 * To add one: its definition in its family's file, and that family's group, which lists it.
 *
 * @example
 * export const deleteTask = defineOperation({
 *   type: "task.deleted",
 *   input: z.strictObject({ task: taskId }),
 *   plan({ task }, state) {
 *     requireTask(state, task);
 *     return [{ type: "task.deleted", payload: { task } }];
 *   },
 *   answer: ({ input, event }) => ({ deleted: input.task, position: event.position }),
 *   command: {
 *     name: "delete",
 *     does: "take a task off the board for good",
 *     takes: { task: ["<id>", "the task's id"] },
 *     example: "7",
 *     says: ({ deleted }) => `Deleted task ${deleted}; the log keeps its history.`,
 *   },
 * });
 */
export function defineOperation<
  const First extends EventType,
  Input extends z.ZodObject,
  Answer,
  Args extends z.ZodObject,
  Output extends z.ZodObject,
  const Name extends string,
  Given extends z.ZodObject,
>(
  definition: Definition<First, Input, Answer, Args, Output, Name, Given>,
): ((input: z.input<Input>) => Decision<First>) &
  Definition<First, Input, Answer, Args, Output, Name, Given> {
  const { type, or, inSession, permit, plan } = definition;
  const decision = (input: z.input<Input>): Decision<First> => ({
    type,
    ...(or && { or }),
    ...(inSession && { inSession }),
    input,
    ...(permit && { permit: (...by) => permit(input, ...by) }),
    plan: (state, session) => plan(input, state, session),
  });
  return Object.assign(decision, definition);
}

/**
 * An operation whose types are unknown; callers assert by a cast that its schemas have checked the
 * input.
 */
export interface Operation {
  (input: never): Decision;
  readonly input: z.ZodObject;
  answer(done: never): unknown;
  unchanged?(found: never): unknown;
  readonly command?: OneOrSome<AnyCommandWords>;
  readonly tool?: AnyToolWords;
}

/**
 * Runs it, and returns its answer.
 *
 * @param input from the surface's own words: the payload's schema checks it
 * @param answer the surface's own, if it differs from the operation's
 */
export async function perform(
  operation: Operation,
  input: unknown,
  { decide, ask }: Performer,
  answer: (done: never) => unknown = operation.answer,
): Promise<unknown> {
  const { unchanged } = operation;
  const given = input as never;
  try {
    const events = await decide(operation(given));
    // Without known types the result's type is unknown too; it has the shape of `Done`.
    return await ask((readModel) => answer({ input: given, event: events[0], events, readModel } as never));
  } catch (error) {
    if (!unchanged || !(error instanceof Refusal) || error.code !== "nothing_to_do") throw error;
    return ask((readModel) => unchanged({ input: given, readModel } as never));
  }
}

/** Makes decisions and answers questions. */
interface Performer {
  decide(decision: Decision): Promise<Decided>;
  ask(question: (readModel: ReadModel) => unknown): Promise<unknown>;
}

export interface Definition<
  First extends EventType,
  Input extends z.ZodObject,
  Answer,
  Args extends z.ZodObject,
  Output extends z.ZodObject,
  Name extends string,
  Given extends z.ZodObject,
> {
  /** The type of its first event, which gives the operation its name. */
  readonly type: First;
  /** Other possible types of that event, if the state decides. */
  readonly or?: readonly First[];
  /** Other possible types of it where an agent decides in its session. */
  readonly inSession?: readonly EventType[];
  /** The input; each field has a description. */
  readonly input: Input;
  /** Who may do it, if not everyone. @throws Refusal: not this actor */
  permit?(input: z.input<Input>, state: State, actor: string, isOwn: IsOwn): void;
  /**
   * Pure: reads the state at the head of the log, and returns the events; the first has one of its
   * types. @throws Refusal
   */
  plan(input: z.input<Input>, state: State, session?: string): readonly PlannedEvent[];
  /** The command's JSON output; `says` gives the same in words. */
  answer(done: Done<First, Input>): Answer;
  /** The answer if there is nothing to do; absent: a refusal. */
  unchanged?(found: Pick<Done<First, Input>, "input" | "readModel">): NoInfer<Answer>;
  /** Its command; or several, each with other fields fixed. */
  readonly command?: OneOrSome<CommandWords<z.input<Input>, Answer>>;
  readonly tool?: ToolWords<z.input<Input>, Done<First, Input>, Args, Output>;
  /** The place where the page offers it. */
  readonly page?: PageWords<Input, Name, Given>;
}

type OneOrSome<Words> = Words | readonly Words[];

/** A completed operation: the read model shows its effect. */
interface Done<First extends EventType, Input extends z.ZodObject> {
  readonly input: z.input<Input>;
  readonly event: Decided<First>[0];
  readonly events: Decided<First>;
  readonly readModel: ReadModel;
}

/** The same, for an answer that several operations give. */
export interface AnyDone<Input> {
  readonly input: Input;
  readonly event: Event;
  readonly events: readonly Event[];
  readonly readModel: ReadModel;
}
