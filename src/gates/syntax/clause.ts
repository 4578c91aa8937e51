import { GATE_COMMAND_LIMIT } from "../../events/types/gates.ts";
import { CRITERION_LIMIT } from "../../events/types/tasks.ts";
import { nearest } from "../../lib/nearest.ts";
import type { Clause } from "./gate-line.ts";
import { takeGateOptions } from "./gate-options.ts";
import { takeQuoted } from "./quoted-text.ts";
import { type Scanner, show } from "./scanner.ts";

/**
 * Takes what stands behind a `::`, to the next one or the end: `verify:"command"` with its options, a criterion in quotes,
 * or one with a name, which becomes part of its text: `style:"two spaces"` is the criterion `style: two spaces`.
 *
 * @throws GateSyntaxError
 */
export function takeClause(scanner: Scanner): Clause {
  scanner.skipBlanks();
  const at = scanner.at;
  const label = scanner.match(/[\p{L}\p{N}_-]+:/uy)?.slice(0, -1);
  if (label === "verify") {
    const command = takeQuoted(scanner, "command");
    scanner.checkLength("command", command, GATE_COMMAND_LIMIT, at);
    return { gate: { command, ...takeGateOptions(scanner) } };
  }
  if (label === undefined && !scanner.text.startsWith('"', at)) {
    const right = 'write `verify:"command"`, or a criterion in quotes: `"follows coding standards"`';
    throw scanner.wrong("wrong_clause", `Found ${scanner.found} after \`::\`; ${right}.`);
  }
  if (label !== undefined) refuseOtherGates(scanner, label, at);
  const text = takeQuoted(scanner, "criterion");
  const criterion = label === undefined ? text : `${label}: ${text}`;
  scanner.checkLength("criterion", criterion, CRITERION_LIMIT, at);
  refuseOptions(scanner);
  return { criterion };
}

/** A command misread as a criterion would never run, and a done would stand without it. */
function refuseOtherGates(scanner: Scanner, label: string, at: number): void {
  if (!OTHER_WORDS.has(label.toLowerCase()) && nearest(label, ["verify"]) === undefined) return;
  const right = `a command is written \`verify:"…"\`; a criterion of that name is \`"${label}: …"\``;
  throw scanner.wrong("unknown_gate", `There is no gate ${show(label)}; ${right}.`, at);
}

/** Names that people write instead of `verify`. */
const OTHER_WORDS: ReadonlySet<string> = new Set(["shell", "script"]);

function refuseOptions(scanner: Scanner): void {
  scanner.skipBlanks();
  if (scanner.atClauseEnd) return;
  const right = 'only `verify:"…"` takes options. The next `::` or the end follows';
  throw scanner.wrong("misplaced_option", `Found ${scanner.found} after a criterion; ${right}.`);
}
