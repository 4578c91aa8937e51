import type { z } from "zod";

/** How an operation reads as a command: `signalbox comment edit 7 31 'Also test IDN URLs please.'`. */
export interface CommandWords<Input, Answer> {
  /** Within its group: `edit`. */
  readonly name: string;
  /** True for what its group does where no command is named. */
  readonly isDefault?: boolean;
  /** One line of help. */
  readonly does: string;
  /** By which argument or option each field of the input is given, in the order of the help. */
  readonly takes: { readonly [Field in keyof Input]?: Taken };
  /** Who decides where nobody is named: `driver`; absent: a human. */
  readonly actor?: string;
  /** Fields that nobody gives: what they are. */
  readonly sets?: Partial<Input>;
  /** Where it takes other fields than the operation; `takingFields` makes it. */
  readonly converts?: Conversion;
  /** What the help says above its example. */
  readonly note?: string;
  /** What stands behind its name in the help's example, or in several; may be empty. */
  readonly example: string | readonly string[];
  /** What it prints as JSON, where that is not the whole answer. */
  json?(answer: Answer): unknown;
  /** What it prints of its answer: a line, or some. @param folder the project's */
  says(answer: Answer, input: Input, folder: string): string | readonly string[];
}

interface Conversion {
  /** What it takes. */
  readonly fields: z.ZodObject;
  /** The operation's input, of what was given. @throws BadValue: what was given does not go together */
  input(given: never): unknown;
}

/** Words of a command that takes other fields than its operation: `fields`, of which `input` makes what the operation takes. */
export function takingFields<Fields extends z.ZodObject, Input, Answer>(
  fields: Fields,
  input: (given: z.output<Fields>) => Input,
  words: Omit<CommandWords<z.output<Fields>, Answer>, "says"> & Pick<CommandWords<Input, Answer>, "says">,
): CommandWords<Input, Answer> {
  const { takes, sets: _, ...more } = words;
  return { ...more, takes: takes as object, converts: { fields, input } };
}

export interface AnyCommandWords extends Omit<CommandWords<never, never>, "takes" | "sets"> {
  readonly takes: Readonly<Record<string, Taken | undefined>>;
  readonly sets?: Readonly<Record<string, unknown>>;
}

/** How a field is given: `["<task>", "the task's id"]`, or as an option `["--author <name>", "whose comment it is"]`. */
export type Taken = readonly [flags: string, meaning: string, more?: TakenMore];

interface TakenMore {
  /** What stands for an option that is not given. */
  readonly absent?: unknown;
  /** What to say of a wrong value, where it is not what the field's schema says. */
  readonly must?: string;
  /** Reads a value, where it is not read as the field's schema takes it. @throws BadValue */
  readonly parse?: (text: string, before: never) => unknown;
  /** Another flag, which gives a value of its own. */
  readonly none?: readonly [flag: string, meaning: string, value: unknown];
}

/** A value that cannot be; the message says what it must be: `It must be …`. */
export class BadValue extends Error {
  override readonly name = "BadValue";
}
