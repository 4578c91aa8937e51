import { type Command, Option } from "commander";
import pc from "picocolors";
import { z } from "zod";
import type { Project } from "../../api/project.ts";
import { AGENT } from "../../events/actors.ts";
import { type Page, pageOf } from "../../lib/page.ts";
import { print, printJson } from "../../lib/terminal/output.ts";
import { type AnyCommandWords, BadValue, type Taken } from "../../operations/command-words.ts";
import type { Group } from "../../operations/group.ts";
import { type Operation, perform } from "../../operations/operation.ts";
import type { Pages, Reading } from "../../operations/reading.ts";
import { argumentsOf, type ToolUse } from "../../operations/tool-use.ts";
import { parseNames } from "../../operations/values.ts";
import {
  asParser,
  type CommonOptions,
  collectOrNone,
  folderOf,
  guarded,
  parseAmount,
  parseCount,
  parseId,
  parseIds,
  parseWhole,
  readingOptions,
  withProject,
  writingOptions,
} from "./command.ts";
import { mayRun } from "./plain-command.ts";
import type { ProjectCommand } from "./project-command.ts";

/** The commands of a group, in its order: those of its operations, and others. @returns the group, for more of them */
export function addGroup(program: Command, { name, does, example, has }: CommandGroup): Command {
  const group = program.command(name).description(does);
  if (example !== undefined) group.addHelpText("after", exampleOf(group, example));
  for (const one of has) addCommands(group, one);
  return group;
}

/** A group, whose commands may also be such as do more than one operation. */
export interface CommandGroup extends Omit<Group, "has"> {
  readonly has: readonly One[];
}

type One = Operation | Reading | Pages | ProjectCommand;

/** The command of an operation, or those that it has, below a group or the program itself. */
export function addCommands(group: Command, one: One): void {
  for (const words of [one.command ?? []].flat()) addOne(group, one, words);
}

function addOne(group: Command, one: One, words: AnyCommandWords): void {
  const { name, isDefault = false, does, note, example, actor, converts } = words;
  const command = group.command(name, { isDefault }).description(does);
  if (!mayRun(group, command.name(), isDefault)) return;
  const { shape } = converts?.fields ?? one.input;
  for (const [field, taken] of Object.entries(words.takes)) {
    if (taken) addTaken(command, taken, shape[field]);
  }
  if (isDefault && command.registeredArguments.length > 0) refuseUnquoted(group, command);
  if ("ask" in one) readingOptions(command);
  else if ("run" in one && one.options) one.options(command);
  else writingOptions(command, actor);
  if ("rows" in one) pageOptions(command, readerOf(one.key).parse);
  if (note !== undefined) command.addHelpText("after", `\n${note}`);
  command.addHelpText("after", exampleOf(command, example)).action((...given: unknown[]) =>
    guarded(async () => {
      // Commander passes the arguments, then the options, then the command itself.
      const options = given.at(-2) as Options;
      const fields = fieldsOf(words, given, options);
      // They were read as their schemas take them.
      const input = (
        converts ? await refusingUse(command, () => converts.input(fields as never)) : fields
      ) as never;
      if ("run" in one && one.outside)
        return tell(one, words, await refusingUse(command, () => one.run(undefined, input, options)), {
          ...{ input, options, folder: "" },
        });
      const { mayLag = false, readOnly = false } = "run" in one ? one : {};
      const ownWork = words.ownWork?.(input);
      const toolUse = toolUseOf(one, words, fields);
      return withProject({ ...options, mayLag, readOnly, ownWork, toolUse }, (project) =>
        run(one, words, project, project.actor === AGENT ? asAgents(toolUse, input) : input, options),
      );
    }),
  );
}

function toolUseOf(one: One, { takes }: AnyCommandWords, given: object): ToolUse | undefined {
  if (!("tool" in one) || !one.tool?.effect) return undefined;
  const taken = Object.entries(takes).map(([field, words]) => [field, words?.[2]?.absent]);
  return { tool: one.tool, given, assumed: Object.fromEntries(taken) };
}

/** What the tool makes of it: an agent's words are signed as such. */
function asAgents(use: ToolUse | undefined, input: unknown): unknown {
  const args = use && argumentsOf(use);
  return args ? use.tool.input(args as never) : input;
}

/** What is given may be wrong together where each of it is right. */
async function refusingUse<Value>(command: Command, read: () => Value): Promise<Awaited<Value>> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof BadValue) command.error(`error: ${error.message}`);
    throw error;
  }
}

/** A text without quotes is told as that, and not as too many arguments. */
function refuseUnquoted(group: Command, command: Command): void {
  const { length } = command.registeredArguments;
  command.allowExcessArguments(true).hook("preAction", (_group, { args }) => {
    if (args.length > length) group.error("error: the text is one argument; put it in quotes");
  });
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
  const answer = await answerOf(one, input, project, options);
  tell(one, words, answer, { input, options, folder: folderOf(options) });

  function say(answer: unknown): void {
    for (const line of linesOf(words, answer, input, folderOf(options))) print(line);
  }
}

/** Prints an answer, as JSON or in words. */
function tell(
  one: One,
  words: AnyCommandWords,
  answer: unknown,
  { input, options, folder }: { readonly input: never; readonly options: Options; readonly folder: string },
): void {
  // It was stopped, and said so.
  if (answer === undefined) return;
  if (options.json) printJson(words.json ? words.json(answer as never) : answer);
  else for (const line of linesOf(words, answer, input, folder)) print(line);
  if ("run" in one) one.afterwards?.(answer as never);
}

function linesOf(words: AnyCommandWords, answer: unknown, input: never, folder: string): readonly string[] {
  return [words.says(answer as never, input, folder)].flat();
}

function answerOf(
  one: Operation | Reading | ProjectCommand,
  input: never,
  project: Project,
  options: Options,
): unknown {
  if ("ask" in one) return project.ask((readModel) => one.ask(readModel, input));
  if ("run" in one) return one.run(project, input, options);
  return perform(one, input, {
    decide: (decision) => project.decide(decision, options.key),
    ask: (question) => project.ask(question),
  });
}

function exampleOf(command: Command, example: string | readonly string[]): string {
  const lines = [example].flat().map((line) => `  ${nameOf(command)} ${line}`.trimEnd());
  return [`\nExample${lines.length > 1 ? "s" : ""}:`, ...lines].join("\n");
}

/** As it is called: `signalbox comment edit`. */
function nameOf(command: Command): string {
  return command.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();
}

/** The fields of a command's arguments and options. */
function fieldsOf(
  { takes, sets }: AnyCommandWords,
  given: readonly unknown[],
  options: Readonly<Record<string, unknown>>,
): object {
  const args = [...given];
  const fieldOf = ([flags, , { none } = {}]: Taken): unknown => {
    if (isArgument(flags)) return args.shift();
    const isNone = none !== undefined && options[attributeOf(none[0])] === false;
    return isNone ? none[2] : options[attributeOf(flags)];
  };
  const taken = Object.entries(takes).map(([field, words]) => [field, words && fieldOf(words)]);
  // An event may have a field or not, but none that is undefined.
  const there = taken.filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(there), ...sets };
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
    if (more.absent !== undefined) argument.default(more.absent);
    command.addArgument(argument);
    return;
  }
  const option = new Option(flags, meaning);
  if (parse) option.argParser(parse);
  if (choices) option.choices(choices);
  if (more.absent !== undefined) option.default(more.absent);
  else option.makeOptionMandatory(!schema.safeParse(undefined).success);
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
  // Where it is said what it must be, the choices stand in its meaning.
  if (!own && must === undefined && inner instanceof z.ZodEnum) return { choices: inner.options.map(String) };
  const parse = own ?? parserOf(inner, flags);
  return parse ? { parse: asParser(parse, must) } : {};
}

/** A list is given at once, with commas, where its flag is in the plural: `--depends-on <ids>`; else one by one. */
function parserOf(schema: z.ZodType, flags: string): Reader["parse"] {
  if (schema instanceof z.ZodArray) {
    // Commander makes the list of an argument that takes all the rest.
    if (flags.endsWith("...]")) {
      if (!(schema.element instanceof z.ZodNumber)) return undefined;
      return (text, before) => [...((before as number[] | undefined) ?? []), parseId(text)];
    }
    if (schema.element instanceof z.ZodNumber) return parseIds;
    // What was given before is what this gave.
    return flags.endsWith("s>") ? parseNames : (text, before) => collectOrNone(text, before as string[]);
  }
  if (schema instanceof z.ZodNumber) {
    if (schema.format !== "safeint") return parseAmount;
    return schema.minValue === 0 ? parseWhole : parseId;
  }
  if (schema instanceof z.ZodEnum) return (text) => schema.parse(text);
  return undefined;
}

/** What a field's schema takes where the field is given. */
function unwrapped(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return unwrapped(schema.unwrap() as z.ZodType);
  return schema;
}

/** The options of a list that comes in pages. */
interface PageOptions<Key = string> {
  readonly after?: Key;
  readonly limit: number;
}

/** @param parseKey reads a key; absent: it is text */
function pageOptions(command: Command, parseKey: Parameters<Option["argParser"]>[0] = String): Command {
  return command
    .option("--after <key>", "show the next page: the key printed at the end of the previous one", parseKey)
    .option("--limit <n>", "rows per page", parseCount, 100);
}

/**
 * Prints a page of a list: as JSON `{NAME: […], "next": KEY}`, `next` being null on the last page, or as `show` prints it.
 *
 * @param ask gives so many rows, or fewer at the end
 */
async function printPage<Row>(
  name: string,
  { json, limit }: { readonly json?: boolean; readonly limit: number },
  ask: (limit: number) => Promise<readonly Row[]>,
  keyOf: (row: Row) => string | number,
  show: (rows: readonly Row[]) => void,
): Promise<void> {
  const { rows, next }: Page<Row> = pageOf(await ask(limit + 1), limit, keyOf);
  if (json) return printJson({ [name]: rows, next });
  show(rows);
  if (next !== null) print(pc.dim(`… more: --after ${next}`));
}
