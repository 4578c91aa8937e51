import { z } from "zod";
import { Refusal } from "../decisions/refusal.ts";
import { GATES_LIMIT } from "../events/types/fields.ts";
import {
  GATE_MAX_DEFAULT,
  GATE_MAX_LIMIT,
  GATE_TIMEOUT_DEFAULT_S,
  GATE_TIMEOUT_LIMIT_S,
  type GateDeclaration,
  gateDeclaration,
} from "../events/types/gates.ts";
import { criteriaOf, type GateLine, gatesOf as gatesOfLine } from "../gates/syntax/gate-line.ts";
import { GateSyntaxError } from "../gates/syntax/gate-syntax-error.ts";
import { parseGateLine } from "../gates/syntax/parse.ts";
import { BadValue } from "./command-words.ts";

const { command, max, timeout_s } = gateDeclaration.shape;

/**
 * Declares gates by their commands, in tools and commands; each gate gets the same attempts and
 * timeout.
 */
export const gateFields = {
  verify: z.array(command).max(GATES_LIMIT).optional(),
  verify_max: max.optional(),
  verify_timeout: timeout_s.optional(),
};

/** The lines of a form; `gatesOfForm` understands them. */
export const formGates = z.array(command).max(GATES_LIMIT).optional();

/** The same, in tools for an existing task. */
export const addedGateFields = {
  ...gateFields,
  verify: gateFields.verify.describe("Adds gates."),
};

/** The options of a command. */
export const verifyOptions = {
  verify: [
    "--verify <command>",
    "a gate: a command that must pass before done counts; 5 attempts, 300 s (repeatable)",
    { parse: (text: string, before: readonly string[] = []) => [...before, text] },
  ],
  verify_max: [
    "--verify-max <n>",
    "attempts for each --verify gate before you are asked",
    { parse: upTo(GATE_MAX_LIMIT) },
  ],
  verify_timeout: [
    "--verify-timeout <seconds>",
    "time limit for each --verify gate",
    { parse: upTo(GATE_TIMEOUT_LIMIT_S) },
  ],
} as const;

/** The same, and the text after `::`. */
export const gateLineFields = { ...gateFields, lines: z.array(z.string()).optional() };
export const gateOptions = {
  ...verifyOptions,
  lines: [
    "--gates <text>",
    "gates and criteria in the syntax of `signalbox gate parse` (repeatable)",
    verifyOptions.verify[2],
  ],
} as const;

/** The given ones. */
export type GateFields = z.output<z.ZodObject<typeof gateFields>>;
export type GateLineFields = z.output<z.ZodObject<typeof gateLineFields>>;

/**
 * The gates in a tool's arguments, in order. @throws Refusal `nothing_to_do`: a number without
 * effect
 */
export function gatesOf(given: GateFields): GateDeclaration[] {
  const idle = idleIn(given);
  if (idle === undefined) return declared(given);
  throw new Refusal(
    "nothing_to_do",
    `Nothing was recorded: \`${idle}\` applies to the commands in \`verify\`, but there are none. Give ` +
      `\`verify\`, or leave out \`${idle}\`.`,
  );
}

/**
 * The declarations in a command's options: first the gates of `--verify`, then the gates and
 * criteria of `--gates`.
 *
 * @throws BadValue: a number without effect
 * @throws GateSyntaxError
 */
export function gatesAndCriteriaOf({ lines = [], ...given }: GateLineFields) {
  const idle = idleIn(given);
  if (idle !== undefined) {
    const [option, word] = idle === "verify_max" ? ["--verify-max", "max"] : ["--verify-timeout", "timeout"];
    throw new BadValue(
      `${option} applies to the gates of --verify, but there are none; in --gates write ${word}:N`,
    );
  }
  const parsed = lines.map(nameless);
  return {
    gates: [...declared(given), ...parsed.flatMap(gatesOfLine)],
    criteria: parsed.flatMap(criteriaOf),
  };
}

/**
 * The gates of a form with a line for each: a command, or one in the syntax of a gate line, which
 * begins with `::`. A criterion has a field of its own.
 *
 * @throws Refusal `not_possible`: a wrong line
 */
export function gatesOfForm(lines: readonly string[]): GateDeclaration[] {
  return lines.flatMap((text) => {
    if (!text.trimStart().startsWith("::")) return declared({ verify: [text] });
    const line = parsedInForm(text);
    const [criterion] = criteriaOf(line);
    if (criterion === undefined) return gatesOfLine(line);
    const right = "write it among the criteria";
    throw new Refusal("not_possible", `"${criterion}" is a criterion, not a gate: ${right}.`, GATES);
  });
}

const GATES = { field: "gates" };

function parsedInForm(text: string): GateLine {
  try {
    return nameless(text);
  } catch (error) {
    if (error instanceof GateSyntaxError) throw new Refusal("not_possible", error.message, GATES);
    throw error;
  }
}

/** A number that was given although there are no gates. */
function idleIn({ verify = [], ...numbers }: GateFields): string | undefined {
  return verify.length > 0
    ? undefined
    : Object.entries(numbers).find(([, value]) => value !== undefined)?.[0];
}

function declared({
  verify = [],
  verify_max = GATE_MAX_DEFAULT,
  verify_timeout = GATE_TIMEOUT_DEFAULT_S,
}: GateFields): GateDeclaration[] {
  return verify.map((text) => ({ command: text, max: verify_max, timeout_s: verify_timeout }));
}

function nameless(text: string): GateLine {
  const line = parseGateLine(text);
  if (line.name === undefined) return line;
  const right = "the task's title is a separate argument; begin with `::`";
  throw new GateSyntaxError("unwanted_name", text, text.indexOf(">>"), `Found a name; ${right}.`);
}

function upTo(limit: number) {
  return (text: string): number => {
    const number = Number(text);
    if (/^\d+$/.test(text) && number >= 1 && number <= limit) return number;
    throw new BadValue(`It must be a whole number from 1 to ${limit}.`);
  };
}
