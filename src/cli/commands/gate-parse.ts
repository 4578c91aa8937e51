import { z } from "zod";
import { criteriaOf, gatesOf } from "../../gates/syntax/gate-line.ts";
import { parseGateLine } from "../../gates/syntax/parse.ts";
import { printGateLine } from "../../gates/syntax/print.ts";
import { quote } from "../../gates/syntax/quoted-text.ts";
import { quoteLine, tableLines } from "../../lib/terminal/output.ts";
import { visible } from "../../lib/visible.ts";
import { jsonOption } from "../making/command.ts";
import { defineOutside } from "../making/project-command.ts";

/** Looks at no project: one tries here what `task add --gates` would declare. */
export const parse = defineOutside({
  input: z.strictObject({ text: z.string() }),
  options: jsonOption,
  run({ text }) {
    const line = parseGateLine(text);
    return {
      ...{ line: printGateLine(line), name: line.name ?? null },
      ...{ gates: gatesOf(line), criteria: criteriaOf(line) },
    };
  },
  command: {
    name: "parse",
    does: "print a task's parsed gates and criteria; records nothing",
    takes: { text: ["<text>", "one argument, in single quotes for the shell"] },
    example: `':: verify:"npm test" :fast :: "follows coding standards"'`,
    says: ({ line, gates, criteria }) => [
      visible(line),
      ...tableLines(
        ["", "text", "attempts", "time-out"],
        [
          ...gates.map((one) => ["gate", quoted(one.command), one.max, `${one.timeout_s} s`]),
          ...criteria.map((one) => ["criterion", quoted(one), "", ""]),
        ],
      ),
    ],
  },
});

/** As it stands in the line, so that a text of several lines is not cut after the first. */
function quoted(text: string): string {
  return quoteLine(quote(text));
}
