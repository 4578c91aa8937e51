import { type Command, InvalidArgumentError, Option } from "commander";
import { z } from "zod";
import type { AnyCommandWords, Taken } from "../operations/command-words.ts";
import type { Group } from "../operations/group.ts";
import { type Operation, perform } from "../operations/operation.ts";
import type { Reading } from "../operations/reading.ts";
import { print, printJson } from "../terminal/output.ts";
import {
  type CommonOptions,
  collectOrNone,
  guarded,
  parseAmount,
  parseId,
  parseIds,
  readingOptions,
  withProject,
  writingOptions,
} from "./command.ts";

/** The commands of a group's operations. @returns the group, for what commands it has beside them */
export function addGroup(program: Command, { name, does, example, has }: Group): Command {
  const group = program.command(name).description(does);
  if (example !== undefined) group.addHelpText("after", exampleOf(name, example));
  for (const one of has) if (one.command) addOne(group, one, one.command);
  return group;
}

function addOne(group: Command, one: Operation | Reading, words: AnyCommandWords): void {
  const { name, isDefault = false, does, example } = words;
  const command = group.command(name, { isDefault }).description(does);
  for (const [field, taken] of Object.entries(words.takes)) {
    if (taken) addTaken(command, taken, one.input.shape[field]);
  }
  ("ask" in one ? readingOptions(command) : writingOptions(command))
    .addHelpText("after", exampleOf(`${group.name()} ${name}`, example))
    .action((...given: unknown[]) =>
      guarded(() => {
        // Commander passes the arguments, then the options, then the command itself.
        const options = given.at(-2) as CommonOptions & Record<string, unknown>;
        const input = inputOf(words, given, options);
        return withProject(options, async (project) => {
          // What its own words gave is what it takes; its types are not known here.
          const known = input as never;
          const answer = await ("ask" in one
            ? project.ask((readModel) => one.ask(readModel, known))
            : perform(one, input, {
                decide: (decision) => project.decide(decision, options.key),
                ask: (question) => project.ask(question),
              }));
          if (options.json) printJson(answer);
          else for (const line of [words.says(answer as never, known)].flat()) print(line);
        });
      }),
    );
}

function exampleOf(command: string, example: string): string {
  return `\nExample:\n  signalbox ${command} ${example}`;
}

/** The operation's input, of a command's arguments and options. */
function inputOf(
  { takes }: AnyCommandWords,
  given: readonly unknown[],
  options: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  let argument = 0;
  return Object.fromEntries(
    Object.entries(takes).map(([field, taken]) => {
      const flags = taken?.[0] ?? "";
      return [field, isArgument(flags) ? given[argument++] : options[new Option(flags).attributeName()]];
    }),
  );
}

function isArgument(flags: string): boolean {
  return !flags.startsWith("-");
}

function addTaken(command: Command, [flags, meaning, { absent, must } = {}]: Taken, schema: z.ZodType): void {
  const { parse, choices } = readerOf(schema, must);
  if (isArgument(flags)) {
    const argument = command.createArgument(flags, meaning);
    if (parse) argument.argParser(parse);
    if (choices) argument.choices(choices);
    command.addArgument(argument);
  } else {
    const option = new Option(flags, meaning);
    if (parse) option.argParser(parse);
    if (choices) option.choices(choices);
    if (absent !== undefined) option.default(absent);
    command.addOption(option);
  }
}

interface Reader {
  // Commander's own type for it says nothing of the values either.
  readonly parse?: Parameters<Option["argParser"]>[0];
  readonly choices?: readonly string[];
}

/** How a value of a schema is read from the command line. */
function readerOf(schema: z.ZodType, must: string | undefined): Reader {
  const inner = unwrapped(schema);
  if (inner instanceof z.ZodEnum) return { choices: inner.options.map(String) };
  const parse = parserOf(inner);
  if (!parse || must === undefined) return parse ? { parse } : {};
  return {
    parse(text, before) {
      try {
        return parse(text, before);
      } catch {
        throw new InvalidArgumentError(must);
      }
    },
  };
}

function parserOf(schema: z.ZodType): Reader["parse"] {
  if (schema instanceof z.ZodArray) {
    // What was given before is what this gave.
    return schema.element instanceof z.ZodNumber
      ? parseIds
      : (text, before) => collectOrNone(text, before as string[]);
  }
  if (schema instanceof z.ZodNumber) return schema.format === "safeint" ? parseId : parseAmount;
  return undefined;
}

/** What a field's schema takes where the field is given. */
function unwrapped(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return unwrapped(schema.unwrap() as z.ZodType);
  return schema;
}
