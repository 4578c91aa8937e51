import type { Command } from "commander";
import type { z } from "zod";
import type { Project } from "../../api/project.ts";
import type { AnyCommandWords, CommandWords } from "../../operations/command-words.ts";
import type { CommonOptions } from "./command.ts";

/** A command that does more than one operation or question: it makes ids, reads files, or runs something. Words and input as of those. */
export function defineCommand<Input extends z.ZodObject, Answer>(
  definition: CommandDefinition<Input, Answer>,
) {
  return definition;
}

/** A command as those see it that do not know its types; see `Operation`. */
export interface ProjectCommand {
  readonly input: z.ZodObject;
  run(project: Project, input: never, options: CommonOptions): Promise<unknown>;
  readonly options?: (command: Command) => Command;
  readonly mayLag?: boolean;
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
  readonly command: CommandWords<z.input<Input>, Answer>;
  /** What is still to be told when the answer is printed. */
  afterwards?(answer: Answer): void;
}
