import type { Command } from "commander";
import { expect, onTestFinished, test, vi } from "vitest";
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
      !["pretend", "demo", "completion"].includes(command.name()),
    );
  }
});

/** The groups that do something without a command, each by its path. */
function groupsWithDefault(command: Command, path: readonly string[] = []): [string, Command][] {
  const below = command.commands.flatMap((child) => groupsWithDefault(child, [...path, child.name()]));
  return Reflect.get(command, "_defaultCommandName") ? [[path.join(" "), command], ...below] : below;
}

const groups = groupsWithDefault(await createProgram());

test("there are groups with a default command", () => {
  expect(groups.map(([path]) => path)).toEqual(
    expect.arrayContaining(["task", "fleet", "people token", "why"]),
  );
});

test.each(groups)(
  "`%s` names its commands where one is misspelt, whatever options come with it",
  async (path, group) => {
    vi.spyOn(process, "exit").mockImplementation((code) => {
      throw new Error(`exit ${code}`);
    });
    const told = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    onTestFinished(() => void vi.restoreAllMocks());
    const names = group.commands.map((command) => command.name()).join(", ");
    for (const rest of ["bogus", "bogus --title x", "bogus 7 --db", "--json bogus --title x"]) {
      const program = await createProgram(path.split(" ")[0]);
      const args = [...path.split(" "), ...rest.split(" ")];
      await expect(program.parseAsync(args, { from: "user" }), rest).rejects.toThrow("exit 2");
      expect(told.mock.lastCall?.[0], rest).toBe(
        `error: unknown command 'bogus'. The commands are ${names}\nSee \`signalbox ${path} --help\`.\n`,
      );
    }
    for (const rest of ["--bogus", "--bogus x"]) {
      const program = await createProgram(path.split(" ")[0]);
      const args = [...path.split(" "), ...rest.split(" ")];
      await expect(program.parseAsync(args, { from: "user" }), rest).rejects.toThrow("exit 2");
      expect(told.mock.lastCall?.[0], rest).toContain("unknown option '--bogus'");
    }
  },
);
