import type { Command } from "commander";
import { expect, test } from "vitest";
import { createProgram } from "../../src/cli/program.ts";
import { tools } from "../../src/mcp/tools/index.ts";
import { byCommand, byTool } from "./parity/both.ts";
import { commentRows } from "./parity/comments.ts";
import { disciplineRows } from "./parity/disciplines.ts";
import { emptyingRows } from "./parity/emptied.ts";
import { featureRows } from "./parity/features.ts";
import { gateRows } from "./parity/gates.ts";
import { projectRows } from "./parity/project.ts";
import type { Row } from "./parity/row.ts";
import { sessionRows } from "./parity/sessions.ts";
import { signalRows } from "./parity/signals.ts";
import { stateFileRows } from "./parity/state-files.ts";
import { taskRows } from "./parity/tasks.ts";

/** A row for each tool, by its name. */
const rows: Readonly<Record<string, Row>> = {
  ...signalRows,
  ...gateRows,
  ...sessionRows,
  ...taskRows,
  ...featureRows,
  ...disciplineRows,
  ...commentRows,
  ...projectRows,
  ...stateFileRows,
};

test("every tool has a row in the table of pairs, and every row a tool", () => {
  expect(Object.keys(rows).sort()).toEqual(tools.map(({ name }) => name).sort());
});

test.each(tools)(
  "$name names a command that is there, and its row is one of that command",
  ({ name, command }) => {
    const words = command.split(" ");
    expect(commandOf(words)?.commands).toEqual([]);
    expect(rows[name]?.command.slice(0, words.length)).toEqual(words);
  },
);

test.each(tools)("the row of $name gives every argument that it takes", ({ name, input, example }) => {
  const { call = example } = rowOf(name);
  expect(Object.keys(call).sort()).toEqual(Object.keys(input.shape).sort());
});

test.each(tools.filter(({ annotations }) => !annotations.readOnlyHint))(
  "$name and its command append the same events",
  async ({ name, example, output }) => {
    const row = rowOf(name);
    const { call = example, shows } = row;
    const tool = await byTool(row, name, call);
    const printed = await byCommand(row);
    expect(output.parse(tool.said)).toEqual(tool.said);
    expect(tool.events.length).toBeGreaterThan(0);
    expect(printed.events).toEqual(tool.events);
    if (shows) expect(shows.printed.parse(printed.said)).toEqual(shows.answer.parse(tool.said));
  },
);

test.each(emptyingRows)("$tool and its command empty the same lists", async (row) => {
  const tool = await byTool(row, row.tool, row.call ?? {});
  const printed = await byCommand(row);
  expect(JSON.stringify(tool.events)).toContain("[]");
  expect(printed.events).toEqual(tool.events);
});

test.each(tools.filter(({ annotations }) => annotations.readOnlyHint))(
  "$name and its command show the same, and append nothing",
  async ({ name, example, output }) => {
    const row = rowOf(name);
    const { call = example, shows } = row;
    if (!shows) throw new Error(`The row of ${name} must say what answer and command both show.`);
    const tool = await byTool(row, name, call);
    const printed = await byCommand(row);
    expect(output.parse(tool.said)).toEqual(tool.said);
    expect(shows.printed.parse(printed.said)).toEqual(shows.answer.parse(tool.said));
    expect([tool.events, printed.events]).toEqual([[], []]);
  },
);

test.each(tools)("the example of $name is legal", ({ input, example }) => {
  expect(input.safeParse(example)).toMatchObject({ success: true });
});

function rowOf(name: string): Row {
  const row = rows[name];
  if (!row) throw new Error(`There is no row for ${name}; add one in test/mcp/parity/.`);
  return row;
}

const program = await createProgram();

/** The command of these words in the program's tree. */
function commandOf(words: readonly string[]): Command | undefined {
  return words.reduce<Command | undefined>(
    (group, word) => group?.commands.find((command) => command.name() === word),
    program,
  );
}
