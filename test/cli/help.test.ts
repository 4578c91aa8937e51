import type { Command } from "commander";
import { expect, test } from "vitest";
import { createProgram } from "../../src/cli/program.ts";

test("the help lists the commands in four groups, first in each what a newcomer needs", async () => {
  const program = await createProgram();
  const help = program.helpInformation();
  const headings = help.match(/^\w[\w ]*:$/gm);
  expect(headings).toEqual(["Options:", "Work:", "People:", "Look back:", "Operate:"]);
  const firstOf = (heading: string) => /^ {2}([\w-]+)/m.exec(help.slice(help.indexOf(`\n${heading}\n`)))?.[1];
  expect(headings?.slice(1).map(firstOf)).toEqual(["init", "status", "log", "doctor"]);
});

test("one command is loaded alone, and a name that no command has loads all", async () => {
  expect((await createProgram("task")).commands.map((command) => command.name())).toEqual(["task"]);
  expect((await createProgram("tasc")).commands.length).toBeGreaterThan(50);
});

function leaves(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);
}

test("every command's help has a description and an example, and data can be had as JSON", async () => {
  const commands = leaves(await createProgram());
  expect(commands.length).toBeGreaterThan(30);
  for (const command of commands) {
    let help = "";
    command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
    expect(command.description(), command.name()).not.toBe("");
    expect(help, command.name()).toContain("Example");
    const options = command.options.map(({ long }) => long);
    expect(options.includes("--json"), command.name()).toBe(
      !["pretend", "snapshot", "demo", "completion"].includes(command.name()),
    );
  }
});
