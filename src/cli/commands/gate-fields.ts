import { type Command, InvalidArgumentError } from "commander";
import {
  GATE_MAX_DEFAULT,
  GATE_MAX_LIMIT,
  GATE_TIMEOUT_DEFAULT_S,
  GATE_TIMEOUT_LIMIT_S,
  type GateDeclaration,
} from "../../events/types/gates.ts";
import { criteriaOf, type GateLine, gatesOf } from "../../gates/syntax/gate-line.ts";
import { GateSyntaxError } from "../../gates/syntax/gate-syntax-error.ts";
import { parseGateLine } from "../../gates/syntax/parse.ts";
import { collect } from "../command.ts";

/** What declares gates, as the parser gives it. */
export interface GateOptions {
  readonly verify?: readonly string[];
  readonly verifyMax?: number;
  /** In seconds. */
  readonly verifyTimeout?: number;
  readonly gates?: readonly string[];
  readonly criterion?: readonly string[];
}

/** The options that declare gates by their commands. */
function verifyOptions(command: Command): Command {
  return command
    .option(
      "--verify <command>",
      "a gate: a command that must pass before a done stands; 5 attempts, 300 s (repeatable)",
      collect,
    )
    .option(
      "--verify-max <n>",
      "attempts of each gate of --verify, before you are asked",
      upTo(GATE_MAX_LIMIT),
    )
    .option("--verify-timeout <seconds>", "time of each gate of --verify", upTo(GATE_TIMEOUT_LIMIT_S));
}

/** The same, and what is written behind `::`. */
export function gateOptions(command: Command): Command {
  return verifyOptions(command).option(
    "--gates <text>",
    "gates and criteria behind ::, as `signalbox gate parse` understands them (repeatable)",
    collect,
  );
}

/** Says it where an option would do nothing. */
export function refuseIdle({ verify, verifyMax, verifyTimeout }: GateOptions, command: Command): void {
  if (verify !== undefined) return;
  const idle = "is for the gates of --verify, and none is given; in --gates write";
  if (verifyMax !== undefined) command.error(`error: --verify-max ${idle} max:N`);
  if (verifyTimeout !== undefined) command.error(`error: --verify-timeout ${idle} timeout:N`);
}

/**
 * All gates and criteria that the options declare: first those of `--verify` and `--criterion`, then those of `--gates`.
 *
 * @throws GateSyntaxError
 */
export function declaredBy({ verify = [], verifyMax, verifyTimeout, gates = [], criterion }: GateOptions) {
  const lines = gates.map(nameless);
  const max = verifyMax ?? GATE_MAX_DEFAULT;
  const timeout_s = verifyTimeout ?? GATE_TIMEOUT_DEFAULT_S;
  const plain: GateDeclaration[] = verify.map((command) => ({ command, max, timeout_s }));
  const criteria = [...(criterion ?? []), ...lines.flatMap(criteriaOf)];
  return {
    gates: [...plain, ...lines.flatMap(gatesOf)],
    criteria: criterion === undefined && criteria.length === 0 ? undefined : criteria,
  };
}

function nameless(text: string): GateLine {
  const line = parseGateLine(text);
  if (line.name === undefined) return line;
  const right = "the task's title is an argument of its own; begin with `::`";
  throw new GateSyntaxError("unwanted_name", text, text.indexOf(">>"), `Found a name; ${right}.`);
}

function upTo(limit: number) {
  return (text: string): number => {
    const number = Number(text);
    if (/^\d+$/.test(text) && number >= 1 && number <= limit) return number;
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${limit}.`);
  };
}
