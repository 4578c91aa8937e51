import type { GateDeclaration } from "../../events/types/gates.ts";
import type { Clause, GateLine } from "./gate-line.ts";
import { DEFAULTS, PRESETS, presetNames } from "./presets.ts";
import { quote } from "./quoted-text.ts";

/**
 * The canonical text of a gate line, which parses to the same line: single blanks, no defaults,
 * presets instead of their numbers.
 */
export function printGateLine({ name, clauses }: GateLine): string {
  const title = name === undefined ? [] : [`>>${name}`];
  return [...title, ...clauses.map((clause) => `:: ${printClause(clause)}`)].join(" ");
}

function printClause(clause: Clause): string {
  if ("criterion" in clause) return quote(clause.criterion);
  return [`verify:${quote(clause.gate.command)}`, ...printOptions(clause.gate)].join(" ");
}

function printOptions({ max, timeout_s }: GateDeclaration): string[] {
  const isDefault = max === DEFAULTS.max && timeout_s === DEFAULTS.timeout_s;
  const preset = presetNames.find(
    (name) => PRESETS[name].max === max && PRESETS[name].timeout_s === timeout_s,
  );
  if (preset !== undefined && !isDefault) return [`:${preset}`];
  return [
    ...(max === DEFAULTS.max ? [] : [`max:${max}`]),
    ...(timeout_s === DEFAULTS.timeout_s ? [] : [`timeout:${timeout_s}`]),
  ];
}
