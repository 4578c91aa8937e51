import type { Argument, Command, Option } from "commander";
import { visible } from "../../lib/visible.ts";
import { type Candidate, type Kind, kindOf } from "./kinds.ts";

/** The words that may stand at the cursor; with `paths`, the shell completes files or folders itself. */
export interface Completion {
  readonly candidates: readonly Candidate[];
  readonly paths?: "files" | "folders";
}

/** The program whose command lines are completed. */
export interface Completed {
  /** The names of its commands, by the headings of the help. */
  readonly names: Readonly<Record<string, readonly string[]>>;
  /** Loads one command, or all if none has the name. */
  create(only: string): Promise<Command>;
}

/**
 * Completes a command line. Only the command that is named is loaded.
 *
 * @param words the whole words behind `signalbox`
 * @param current the word at the cursor, as far as it was typed
 */
export async function complete(
  { names, create }: Completed,
  words: readonly string[],
  current: string,
): Promise<Completion> {
  const [first] = words;
  if (first === undefined || (first === "help" && words.length === 1)) return topLevel(names, current);
  const program = await create(first);
  const place = placeIn(program, words);
  if (place === undefined) return NOTHING;
  const { command, option, given, onlyArguments } = place;
  if (option) return valuesOf(place, option, current);
  if (!onlyArguments && current.startsWith("-")) {
    const [, flag = "", start] = /^(--[\w-]+)=(.*)$/s.exec(current) ?? [];
    const named = optionOf(command, flag);
    if (named === undefined || start === undefined) return starting(optionsOf(command), current);
    const { candidates } = await valuesOf(place, named, start);
    return { candidates: candidates.map((one) => ({ ...one, value: `${flag}=${one.value}` })) };
  }
  const below = given === 0 ? command.commands.filter(isShown) : [];
  const argument = command.registeredArguments[given] ?? command.registeredArguments.findLast(isVariadic);
  const { candidates, ...paths } = argument ? await valuesOf(place, argument, current) : NOTHING;
  const commands = below.map((one) => ({ value: one.name(), meaning: one.description() }));
  return { ...paths, candidates: [...starting(commands, current).candidates, ...candidates] };
}

const NOTHING: Completion = { candidates: [] };

/** Where the cursor is. */
interface Place {
  readonly path: readonly string[];
  readonly command: Command;
  /** The option whose value is typed. */
  readonly option: Option | undefined;
  /** The number of arguments before the cursor. */
  readonly given: number;
  readonly words: readonly string[];
  /** Behind `--`. */
  readonly onlyArguments: boolean;
}

/** @returns undefined where no command has these words */
function placeIn(program: Command, words: readonly string[]): Place | undefined {
  let command = program;
  let option: Option | undefined;
  let given = 0;
  let onlyArguments = false;
  const path: string[] = [];
  for (const word of words) {
    if (option) option = undefined;
    else if (onlyArguments) given++;
    else if (word === "--") onlyArguments = true;
    else if (word.startsWith("-") && word !== "-") option = valueOption(command, word);
    else {
      const below = given === 0 ? command.commands.find((one) => one.name() === word) : undefined;
      if (!below && command === program) return undefined;
      if (below) path.push(word);
      else given++;
      command = below ?? command;
    }
  }
  return { path, command, option, given, words, onlyArguments };
}

/** The option that takes the next word as its value. */
function valueOption(command: Command, word: string): Option | undefined {
  const option = optionOf(command, word);
  return option?.required || option?.optional ? option : undefined;
}

function optionOf(command: Command, flag: string): Option | undefined {
  return command.options.find((option) => flag !== "" && (option.long === flag || option.short === flag));
}

function optionsOf(command: Command): Candidate[] {
  const options = command.options.filter(({ hidden }) => !hidden);
  return [
    ...options.map(({ long, short, description }) => ({ value: long ?? short ?? "", meaning: description })),
    { value: "--help", meaning: "display help for command" },
  ];
}

/** The names alone: descriptions would load every command. */
function topLevel(names: Completed["names"], current: string): Completion {
  const commands = Object.entries(names).flatMap(([meaning, group]) =>
    group.map((value) => ({ value, meaning })),
  );
  const others = ["help", "--help", "--version"].map((value) => ({ value, meaning: "" }));
  return starting([...commands, ...others], current);
}

function starting(all: readonly Candidate[], current: string): Completion {
  const hasDash = current.startsWith("-");
  return {
    candidates: all.filter(({ value }) => value.startsWith(current) && value.startsWith("-") === hasDash),
  };
}

async function valuesOf(place: Place, taker: Argument | Option, current: string): Promise<Completion> {
  const { argChoices, description } = taker;
  if (argChoices) return starting(asCandidates(argChoices), current);
  const name = "flags" in taker ? taker.flags : taker.name();
  const kind = kindOf(place.path[0] ?? "", name, description);
  if (kind === undefined) return NOTHING;
  if (kind === "files" || kind === "folders") return { ...NOTHING, paths: kind };
  // A list with commas: what stands before the last one stays.
  const start = /^--depends-on /.test(name) ? current.slice(0, current.lastIndexOf(",") + 1) : "";
  const found = await valuesOfKind(place, kind, current.slice(start.length));
  // Nothing that a terminal would not print: no value with control characters is offered.
  const candidates = found.filter(({ value }) => value !== "" && visible(value) === value);
  return { candidates: candidates.map((one) => ({ ...one, value: start + one.value })) };
}

async function valuesOfKind({ words }: Place, kind: Kind, prefix: string): Promise<readonly Candidate[]> {
  const { otherValues } = await import("./other-values.ts");
  const { isOfTable, valuesIn } = await import("./project-values.ts");
  const { readModelPath } = await import("../making/command.ts");
  const db = words[words.indexOf("--db") + 1];
  const path = () => readModelPath(words.includes("--db") && db !== undefined ? { db } : {});
  if (isOfTable(kind)) return valuesIn(path(), kind, prefix);
  return starting(asCandidates(await otherValues(kind, path)), prefix).candidates;
}

function asCandidates(values: readonly string[]): Candidate[] {
  return values.map((value) => ({ value, meaning: "" }));
}

function isVariadic({ variadic }: Argument): boolean {
  return variadic;
}

function isShown(command: Command): boolean {
  // Commander keeps it in a field that its types leave out.
  return !("_hidden" in command && command._hidden === true);
}
