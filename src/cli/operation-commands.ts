import { type Command, Option } from "commander";
import { z } from "zod";
import { type AnyCommandWords, BadValue, type Taken } from "../operations/command-words.ts";
import type { Group } from "../operations/group.ts";
import { type Operation, perform } from "../operations/operation.ts";
import type { Pages, Reading } from "../operations/reading.ts";
import { parseNames } from "../operations/values.ts";
import type { Project } from "../project/project.ts";
import { print, printJson } from "../terminal/output.ts";
import {
  asParser,
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
import { type PageOptions, pageOptions, printPage } from "./paging.ts";

/** The commands of a group's operations. @returns the group, for what commands it has beside them */
export function addGroup(program: Command, { name, does, example, has }: Group): Command {
  const group = program.command(name).description(does);
  if (example !== undefined) group.addHelpText("after", exampleOf(name, example));
  for (const one of has) addCommands(group, one);
  return group;
}

type One = Operation | Reading | Pages;

/** The command of an operation, or those that it has, below a group. */
export function addCommands(group: Command, one: One): void {
  for (const words of [one.command ?? []].flat()) addOne(group, one, words);
}

function addOne(group: Command, one: One, words: AnyCommandWords): void {
  const { name, isDefault = false, does, example, converts } = words;
  const { shape } = converts?.fields ?? one.input;
  const command = group.command(name, { isDefault }).description(does);
  for (const [field, taken] of Object.entries(words.takes)) {
    if (taken) addTaken(command, taken, shape[field]);
  }
  if ("ask" in one) readingOptions(command);
  else writingOptions(command);
  if ("rows" in one) pageOptions(command, readerOf(one.key).parse);
  command.addHelpText("after", exampleOf(`${group.name()} ${name}`, example)).action((...given: unknown[]) =>
    guarded(() => {
      // Commander passes the arguments, then the options, then the command itself.
      const options = given.at(-2) as Options;
      const input = refusingUse(command, () => inputOf(words, given, options));
      return withProject(options, (project) => run(one, words, project, input, options));
    }),
  );
}

/** What is given may be wrong together where each of it is right. */
function refusingUse<Value>(command: Command, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (error instanceof BadValue) command.error(`error: ${error.message}`);
    throw error;
  }
}

type Options = CommonOptions & PageOptions<unknown> & Readonly<Record<string, unknown>>;

/** Does what a command is for, and prints the answer. */
async function run(
  one: One,
  words: AnyCommandWords,
  project: Project,
  given: unknown,
  options: Options,
): Promise<void> {
  const { after } = options;
  // By the operation's own words it was made what the operation takes; its types are not known here.
  const input = ("rows" in one ? { ...(given as object), after } : given) as never;
  if ("rows" in one) {
    const { ask, brief = ask } = one;
    const page = (limit: number) =>
      project.ask((readModel) =>
        (options.json ? ask : brief)(readModel, { ...(input as object), limit } as never),
      );
    return printPage(one.rows, options, page, (row) => one.keyOf(row as never), say);
  }
  const answer = await ("ask" in one
    ? project.ask((readModel) => one.ask(readModel, input))
    : perform(one, input, {
        decide: (decision) => project.decide(decision, options.key),
        ask: (question) => project.ask(question),
      }));
  if (options.json) printJson(words.json ? words.json(answer as never) : answer);
  else say(answer);

  function say(answer: unknown): void {
    for (const line of [words.says(answer as never, input)].flat()) print(line);
  }
}

function exampleOf(command: string, example: string | readonly string[]): string {
  const lines = [example].flat().map((line) => `  signalbox ${command} ${line}`.trimEnd());
  return [`\nExample${lines.length > 1 ? "s" : ""}:`, ...lines].join("\n");
}

/** The operation's input, of a command's arguments and options. */
function inputOf(
  { takes, sets, converts }: AnyCommandWords,
  given: readonly unknown[],
  options: Readonly<Record<string, unknown>>,
): unknown {
  const args = [...given];
  const fieldOf = ([flags, , { none } = {}]: Taken): unknown => {
    if (isArgument(flags)) return args.shift();
    const isNone = none !== undefined && options[attributeOf(none[0])] === false;
    return isNone ? none[2] : options[attributeOf(flags)];
  };
  const taken = Object.entries(takes).map(([field, words]) => [field, words && fieldOf(words)]);
  const input = { ...Object.fromEntries(taken), ...sets };
  // It was read as the fields' schemas take it.
  return converts ? converts.input(input as never) : input;
}

function attributeOf(flags: string): string {
  return new Option(flags).attributeName();
}

function isArgument(flags: string): boolean {
  return !flags.startsWith("-");
}

function addTaken(command: Command, [flags, meaning, more = {}]: Taken, schema: z.ZodType): void {
  const { parse, choices } = readerOf(schema, flags, more);
  if (isArgument(flags)) {
    const argument = command.createArgument(flags, meaning);
    if (parse) argument.argParser(parse);
    if (choices) argument.choices(choices);
    command.addArgument(argument);
    return;
  }
  const option = new Option(flags, meaning);
  if (parse) option.argParser(parse);
  if (choices) option.choices(choices);
  if (more.absent !== undefined) option.default(more.absent);
  command.addOption(option);
  if (more.none) {
    const [flag, without] = more.none;
    command.addOption(new Option(flag, without).conflicts(option.attributeName()));
  }
}

interface Reader {
  // Commander's own type for it says nothing of the values either.
  readonly parse?: Parameters<Option["argParser"]>[0];
  readonly choices?: readonly string[];
}

/** How a value of a schema is read from the command line. */
function readerOf(
  schema: z.ZodType,
  flags = "",
  { must, parse: own }: Pick<NonNullable<Taken[2]>, "must" | "parse"> = {},
): Reader {
  const inner = unwrapped(schema);
  if (!own && inner instanceof z.ZodEnum) return { choices: inner.options.map(String) };
  const parse = own ?? parserOf(inner, flags);
  return parse ? { parse: asParser(parse, must) } : {};
}

/** A list is given at once, with commas, where its flag is in the plural: `--depends-on <ids>`; else one by one. */
function parserOf(schema: z.ZodType, flags: string): Reader["parse"] {
  if (schema instanceof z.ZodArray) {
    if (schema.element instanceof z.ZodNumber) return parseIds;
    // What was given before is what this gave.
    return flags.endsWith("s>") ? parseNames : (text, before) => collectOrNone(text, before as string[]);
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
