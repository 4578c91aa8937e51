import type { Command } from "commander";
import { expect, test } from "vitest";
import { createProgram } from "../../src/cli/program.ts";

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
      !["pretend", "snapshot", "demo"].includes(command.name()),
    );
  }
});
