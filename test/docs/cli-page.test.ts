import { readFileSync } from "node:fs";
import type { Argument, Command, Option } from "commander";
import { expect, test } from "vitest";
import { createProgram } from "../../src/cli/program.ts";
import { packagePath } from "../../src/lib/package-root.ts";

const MARK = "<!-- From here on made from the definitions: npx vitest run test/docs -u -->\n";

/** People write the page's beginning; the commands below it are made from their definitions. */
test("docs/cli.md has every command as its help has it", async () => {
  const [byHand = ""] = readFileSync(packagePath("docs/cli.md"), "utf8").split(MARK);
  const { commands } = await createProgram();
  const shown = commands.filter(isShown);
  const headings = [...new Set(shown.map((command) => command.helpGroup()))];
  const sections = headings.flatMap((heading) => [
    `## Commands: ${heading.replace(":", "")}`,
    "",
    ...shown.filter((command) => command.helpGroup() === heading).flatMap((command) => sectionOf(command, 3)),
  ]);
  await expect([byHand + MARK, ...sections, ""].join("\n")).toMatchFileSnapshot("../../docs/cli.md");
});

function sectionOf(command: Command, level: number): string[] {
  const own = command.commands.length === 0 ? leafOf(command) : [];
  return [
    `${"#".repeat(level)} ${pathOf(command).join(" ")}`,
    "",
    sentence(command.description()),
    "",
    ...own,
    ...command.commands.filter(isShown).flatMap((below) => sectionOf(below, level + 1)),
  ];
}

function leafOf(command: Command): string[] {
  const options = command.options.filter(({ long }) => !COMMON.includes(long ?? ""));
  const common = command.options.filter(({ long }) => COMMON.includes(long ?? ""));
  const rows = [...command.registeredArguments.map(argumentRow), ...options.map(optionRow)];
  return [
    "```sh",
    `signalbox ${pathOf(command).join(" ")} ${usageOf(command, options)}`.trimEnd(),
    "```",
    "",
    ...(rows.length > 0 ? ["| argument or option | meaning |", "|---|---|", ...rows, ""] : []),
    ...(common.length > 0 ? [`Also ${common.map(({ long }) => `\`${long}\``).join(", ")}.`, ""] : []),
    ...notesOf(command),
  ];
}

/** Options that many commands have; the page's beginning says what they mean. */
const COMMON = ["--db", "--json", "--at", "--actor", "--key", "--after", "--limit"];

function usageOf(command: Command, options: readonly Option[]): string {
  const words = command.registeredArguments.map((argument) => {
    const word = argument.variadic ? `${argument.name()}...` : argument.name();
    return argument.required ? `<${word}>` : `[${word}]`;
  });
  return [...words, ...(options.length > 0 ? ["[options]"] : [])].join(" ");
}

function argumentRow(argument: Argument): string {
  const { description, argChoices, defaultValue } = argument;
  return row(argument.name(), description, argChoices, defaultValue);
}

function optionRow({ flags, description, argChoices, defaultValue, mandatory }: Option): string {
  return row(flags, mandatory ? `required; ${description}` : description, argChoices, defaultValue);
}

function row(words: string, meaning: string, choices?: readonly string[], absent?: unknown): string {
  const more = [
    ...(choices ? [choices.join(", ")] : []),
    ...(absent === undefined || absent === false ? [] : [`default: ${String(absent)}`]),
  ];
  const text = `${meaning}${more.length > 0 ? ` (${more.join("; ")})` : ""}`;
  return `| \`${words}\` | ${text.replaceAll("|", "\\|").replaceAll("<", "&lt;").replaceAll("\n", " ")} |`;
}

/** What stands behind the options in its help: examples, and what else is to be said. */
function notesOf(command: Command): string[] {
  let help = "";
  command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
  const [, notes = ""] = help.split(command.helpInformation());
  const text = notes.trim();
  if (text === "") return [];
  return ["```text", text, "```", ""];
}

function pathOf(command: Command): string[] {
  return command.parent ? [...pathOf(command.parent), command.name()] : [];
}

function sentence(text: string): string {
  const plain = text.replaceAll("<", "&lt;");
  return `${plain.charAt(0).toUpperCase()}${plain.slice(1)}${/[.!?]$/.test(plain) ? "" : "."}`;
}

function isShown(command: Command): boolean {
  // Commander keeps it in a field that its types leave out.
  return !("_hidden" in command && command._hidden === true);
}
