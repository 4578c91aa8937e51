import { GATE_MAX_LIMIT, GATE_TIMEOUT_LIMIT_S } from "../../events/types/gates.ts";
import { nearest } from "../../lib/nearest.ts";
import { DEFAULTS, type GateNumbers, PRESETS, type PresetName, presetNames } from "./presets.ts";
import { type Scanner, show } from "./scanner.ts";

/**
 * Parses the options after a gate's command, to the end of its clause. A given number overrides any
 * preset, in any order; missing numbers get the default.
 *
 * @throws GateSyntaxError `unknown_option`, `doubled_option`, `two_presets`, `out_of_range`
 */
export function takeGateOptions(scanner: Scanner): GateNumbers {
  let given: Given = {};
  scanner.skipBlanks();
  while (!scanner.atClauseEnd) {
    given = { ...given, ...takeOption(scanner, given) };
    scanner.skipBlanks();
  }
  const { preset, max, timeout } = given;
  const numbers = preset === undefined ? DEFAULTS : PRESETS[preset];
  return { max: max ?? numbers.max, timeout_s: timeout ?? numbers.timeout_s };
}

interface Given {
  readonly preset?: PresetName;
  readonly max?: number;
  /** In seconds. */
  readonly timeout?: number;
}

function takeOption(scanner: Scanner, given: Given): Given {
  const at = scanner.at;
  const word = scanner.match(/\S+?(?=\s|::|$)/uy) ?? "";
  const preset = presetNames.find((name) => word === `:${name}`);
  const name = numberNames.find((known) => word.startsWith(`${known}:`));
  if (preset && given.preset !== undefined) {
    const explanation = `Found ${show(word)} next to \`:${given.preset}\`; a gate takes one preset.`;
    throw scanner.wrong("two_presets", explanation, at);
  }
  if (preset) return { preset };
  if (!name) throw scanner.wrong("unknown_option", unknown(word), at);
  if (given[name] !== undefined) {
    const explanation = `Found ${show(word)} next to \`${name}:${given[name]}\`; a gate takes \`${name}\` once.`;
    throw scanner.wrong("doubled_option", explanation, at);
  }
  return { [name]: numberOf(scanner, name, word.slice(name.length + 1), at + name.length + 1) };
}

type NumberName = (typeof numberNames)[number];
const numberNames = ["max", "timeout"] as const;

function numberOf(scanner: Scanner, name: NumberName, value: string, at: number): number {
  const number = Number(value);
  const { limit, of } = NUMBERS[name];
  if (/^\d+$/.test(value) && number >= 1 && number <= limit) return number;
  const found = value === "" ? "no number" : show(value);
  const right = `\`${name}\` must be a whole number of ${of} from 1 to ${limit}`;
  throw scanner.wrong("out_of_range", `Found ${found}; ${right}.`, at);
}

const NUMBERS = {
  max: { limit: GATE_MAX_LIMIT, of: "attempts" },
  timeout: { limit: GATE_TIMEOUT_LIMIT_S, of: "seconds" },
} as const;

function unknown(word: string): string {
  const [bare = ""] = word.replace(/^:/, "").split(/[:=]/);
  const names = [...numberNames, ...presetNames];
  const near = nearest(bare, names);
  if (near === undefined)
    return `${show(word)} is not an option; a gate takes ${names.map(form).join(", ")}.`;
  return `${show(word)} is not an option; did you mean ${form(near)}?`;
}

/** An option's syntax. */
function form(name: string): string {
  return numberNames.some((known) => known === name) ? `\`${name}:N\`` : `\`:${name}\``;
}
