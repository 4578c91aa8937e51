import { GATES_LIMIT, LINE_LIMIT } from "../../events/types/fields.ts";
import { CRITERIA_LIMIT } from "../../events/types/tasks.ts";
import { takeClause } from "./clause.ts";
import { type Clause, criteriaOf, type GateLine, gatesOf } from "./gate-line.ts";
import { Scanner, show } from "./scanner.ts";

/**
 * Understands a task's command line, or the `::` part alone (docs/rules.md, Verify gates). docs/gates.md says
 * how it is written.
 *
 *     parseGateLine('>>fix :: verify:"npm test" :fast :: "no new warnings"')
 *     // { name: "fix", clauses: [
 *     //   { gate: { command: "npm test", max: 5, timeout_s: 30 } },
 *     //   { criterion: "no new warnings" } ] }
 *
 * @throws GateSyntaxError for any text that is none
 */
export function parseGateLine(text: string): GateLine {
  const scanner = new Scanner(text);
  refuseControlCharacters(scanner);
  const name = takeName(scanner);
  const clauses: Clause[] = [];
  while (!scanner.atEnd) {
    const at = scanner.at;
    scanner.take("::");
    clauses.push(takeClause(scanner));
    refuseTooMany(scanner, { clauses }, at);
  }
  return name === undefined ? { clauses } : { name, clauses };
}

/** Tabs count as blanks; half a surrogate pair is not a character. */
function refuseControlCharacters(scanner: Scanner): void {
  const at = scanner.text.search(/(?!\t)[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u);
  if (at === -1) return;
  const right =
    "gates must be one line. In quotes, write a line break as `\\n`; remove other control characters";
  throw scanner.wrong("control_character", `Found ${show(scanner.text.charAt(at))}; ${right}.`, at);
}

/** @returns undefined if the line begins with a clause */
function takeName(scanner: Scanner): string | undefined {
  scanner.skipBlanks();
  const at = scanner.at;
  if (scanner.atEnd) {
    const right = 'write a gate, `:: verify:"npm test"`, or a criterion, `:: "follows coding standards"`';
    throw scanner.wrong("empty", `The text is empty; ${right}.`);
  }
  if (scanner.atClauseEnd) return undefined;
  if (!scanner.take(">>")) {
    const right = "a gate or a criterion begins with `::`, and a name before them with `>>`";
    throw scanner.wrong("no_clause", `Found ${scanner.found}; ${right}.`);
  }
  const name = scanner.match(/.*?(?=::|$)/suy)?.trim() ?? "";
  if (name === "")
    throw scanner.wrong("empty_name", "There is no name after `>>`; write one, or leave out `>>`.", at);
  scanner.checkLength("name", name, LINE_LIMIT, at);
  return name;
}

function refuseTooMany(scanner: Scanner, line: GateLine, at: number): void {
  const kinds = [
    { what: "gates", count: gatesOf(line).length, limit: GATES_LIMIT },
    { what: "criteria", count: criteriaOf(line).length, limit: CRITERIA_LIMIT },
  ];
  for (const { what, count, limit } of kinds) {
    if (count <= limit) continue;
    throw scanner.wrong("too_many", `A task has at most ${limit} ${what}; this is one more.`, at);
  }
}
