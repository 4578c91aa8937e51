import type { Command } from "commander";
import type { z } from "zod";
import type { Project } from "../../api/project.ts";
import type { AnyCommandWords, CommandWords } from "../../operations/command-words.ts";
import { type CommonOptions, projectOptions } from "./command.ts";

/** A command that does more than one operation or question: it makes ids, reads files, or runs something. Words and input as of those. */
export function defineCommand<Input extends z.ZodObject, Answer>(
  definition: CommandDefinition<Input, Answer>,
) {
  return definition;
}

/** A command that opens no project: it works on files, processes or the program's own definitions. A BadValue is told as wrong usage. */
export function defineOutside<Input extends z.ZodObject, Answer>({
  run,
  ...definition
}: Omit<CommandDefinition<Input, Answer>, "run" | "mayLag" | "readOnly"> & {
  run(input: z.input<Input>, options: CommonOptions): Answer | Promise<Answer>;
}) {
  return {
    options: projectOptions,
    ...definition,
    outside: true as const,
    run: async (_none: unknown, input: z.input<Input>, options: CommonOptions) => run(input, options),
  };
}

/** A command as those see it that do not know its types; see `Operation`. */
export interface ProjectCommand {
  readonly input: z.ZodObject;
  run(project: Project | undefined, input: never, options: CommonOptions): Promise<unknown>;
  /** Of what opens no project: true. */
  readonly outside?: true;
  readonly options?: (command: Command) => Command;
  readonly mayLag?: boolean;
  readonly readOnly?: boolean;
  readonly command: AnyCommandWords;
  afterwards?(answer: never): void;
}

interface CommandDefinition<Input extends z.ZodObject, Answer> {
  /** What is given, as `takes` reads it. */
  readonly input: Input;
  /** @returns what it prints as JSON; `says` prints the same in words; undefined if it was stopped */
  run(project: Project, input: z.input<Input>, options: CommonOptions): Promise<Answer | undefined>;
  /** Of what does not record anything: the options that it has. */
  readonly options?: (command: Command) => Command;
  /** See `CommonOptions`. */
  readonly mayLag?: boolean;
  readonly readOnly?: boolean;
  readonly command: CommandWords<z.input<Input>, Answer>;
  /** What is still to be told when the answer is printed. */
  afterwards?(answer: Answer): void;
}
