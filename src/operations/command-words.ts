import type { z } from "zod";

/**
 * An operation's words as a command: `signalbox comment edit 7 31 'Also test IDN URLs please.'`.
 */
export interface CommandWords<Input, Answer> {
  /** Within its group: `edit`. */
  readonly name: string;
  /** True for the group's default command. */
  readonly isDefault?: boolean;
  /** One line of help. */
  readonly does: string;
  /** The argument or option for each field of the input, in the order of the help. */
  readonly takes: { readonly [Field in keyof Input]?: Taken };
  /** The default actor: `driver`; absent: a human. */
  readonly actor?: string;
  /** What it works on, which an agent may do for its own session; absent: it is for humans and drivers alone. */
  ownWork?(input: Input): OwnWork;
  /** Fixed values of fields that the user does not give. */
  readonly sets?: Partial<Input>;
  /** Set if its fields differ from the operation's; `takingFields` makes it. */
  readonly converts?: Conversion;
  /** The note above the help's example. */
  readonly note?: string;
  /** The arguments of the help's example, or of several; may be empty. */
  readonly example: string | readonly string[];
  /** Its JSON output, if that is not the whole answer. */
  json?(answer: Answer): unknown;
  /** Its printed lines. @param folder the project's */
  says(answer: Answer, input: Input, folder: string): string | readonly string[];
}

/** The session and the task that a command names. */
export interface OwnWork {
  readonly session?: string | undefined;
  readonly task?: number | undefined;
}

interface Conversion {
  /** Its fields. */
  readonly fields: z.ZodObject;
  /**
   * Converts the given fields to the operation's input. @throws BadValue: the given values
   * contradict each other
   */
  input(given: never): unknown;
}

/**
 * The words of a command with fields of its own: `input` converts `fields` to the operation's
 * input.
 */
export function takingFields<Fields extends z.ZodObject, Input, Answer>(
  fields: Fields,
  input: (given: z.output<Fields>) => Input,
  words: Omit<CommandWords<z.output<Fields>, Answer>, "says" | "ownWork"> &
    Pick<CommandWords<Input, Answer>, "says">,
): CommandWords<Input, Answer> {
  const { takes, sets: _, ...more } = words;
  return { ...more, takes: takes as object, converts: { fields, input } };
}

export interface AnyCommandWords extends Omit<CommandWords<never, never>, "takes" | "sets"> {
  readonly takes: Readonly<Record<string, Taken | undefined>>;
  readonly sets?: Readonly<Record<string, unknown>>;
}

/**
 * A field's syntax: `["<task>", "the task's id"]`, or as an option `["--author <name>", "whose
 * comment it is"]`.
 */
export type Taken = readonly [flags: string, meaning: string, more?: TakenMore];

interface TakenMore {
  /** The default of an option. */
  readonly absent?: unknown;
  /** The message about a wrong value, if the schema's own is not right. */
  readonly must?: string;
  /** Parses a value, if the schema does not do it. @throws BadValue */
  readonly parse?: (text: string, before: never) => unknown;
  /** Another flag, with a fixed value. */
  readonly none?: readonly [flag: string, meaning: string, value: unknown];
}

/** An invalid value; the message says what it must be: `It must be …`. */
export class BadValue extends Error {
  override readonly name = "BadValue";
}
