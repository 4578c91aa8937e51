import type { Command } from "commander";
import { criteriaOf, gatesOf } from "../../gates/syntax/gate-line.ts";
import { parseGateLine } from "../../gates/syntax/parse.ts";
import { printGateLine } from "../../gates/syntax/print.ts";
import { quote } from "../../gates/syntax/quoted-text.ts";
import { print, printJson, printTable, quoteLine } from "../../lib/terminal/output.ts";
import { visible } from "../../lib/visible.ts";
import { guarded } from "../making/command.ts";

/** Looks at no project: one tries here what `task add --gates` would declare. */
export function addParse(group: Command): void {
  group
    .command("parse")
    .description("print a task's parsed gates and criteria; records nothing")
    .argument("<text>", "one argument, in single quotes for the shell")
    .option("--json", "print JSON for machines")
    .addHelpText(
      "after",
      `\nExample:\n  signalbox gate parse ':: verify:"npm test" :fast :: "follows coding standards"'`,
    )
    .action((text: string, { json }: { json?: boolean }) =>
      guarded(async () => {
        const line = parseGateLine(text);
        const canonical = printGateLine(line);
        const [gates, criteria] = [gatesOf(line), criteriaOf(line)];
        if (json) {
          printJson({ line: canonical, name: line.name ?? null, gates, criteria });
          return;
        }
        print(visible(canonical));
        printTable(
          ["", "text", "attempts", "time-out"],
          [
            ...gates.map((one) => ["gate", quoted(one.command), one.max, `${one.timeout_s} s`]),
            ...criteria.map((one) => ["criterion", quoted(one), "", ""]),
          ],
        );
      }),
    );
}

/** As it stands in the line, so that a text of several lines is not cut after the first. */
function quoted(text: string): string {
  return quoteLine(quote(text));
}
