import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { acts } from "../../adapters/page/server/acts/index.ts";
import { createProgram } from "../../src/cli/program.ts";
import { packagePath } from "../../src/lib/package-root.ts";
import { tools } from "../../src/mcp/tools/index.ts";
import { toolNames } from "../../src/operations/tool-names.ts";

/** What of a definition says where it is offered. */
interface Defined {
  readonly command?: Words | readonly Words[];
  readonly tool?: { readonly name: string };
  readonly page?: { readonly name: string };
}

interface Words {
  readonly name: string;
  readonly does: string;
}

/** Every operation and question that a file of src/operations exports, by its name and file. */
const definitions = await definitionsIn("src/operations");

test("the command that a definition has is in its group", async () => {
  const groups = (await createProgram()).commands;
  // Two groups may have commands of one name.
  const commands = groups.flatMap((group) =>
    group.commands.map((one) => `${one.name()}: ${one.description()}`),
  );
  expect(
    definitions.flatMap(({ at, command = [] }) =>
      [command]
        .flat()
        .filter(({ name, does }) => !commands.includes(`${name}: ${does}`))
        .map(({ name }) => `${at} has the command "${name}", and no group has it: add it to one's \`has\``),
    ),
  ).toEqual([]);
});

test("the tool that a definition has is named and in its group, and no name is without a tool", () => {
  const names: readonly string[] = toolNames;
  const known = tools.map(({ name }) => name);
  expect([
    ...definitions.flatMap(({ at, tool }) =>
      tool === undefined || names.includes(tool.name)
        ? []
        : [`${at} has the tool ${tool.name}: add its name to its family in src/operations/tool-names.ts`],
    ),
    ...toolNames
      .filter((name) => !known.includes(name))
      .map(
        (name) =>
          `${name} in src/operations/tool-names.ts is no tool: add its definition to a group's \`has\``,
      ),
  ]).toEqual([]);
});

test("the act that a definition has is among the page's", () => {
  const known: readonly string[] = acts.map(({ name }) => name);
  expect(
    definitions.flatMap(({ at, page }) =>
      page === undefined || known.includes(page.name)
        ? []
        : [`${at} has the act ${page.name}: add \`actOf\` of it to adapters/page/server/acts/index.ts`],
    ),
  ).toEqual([]);
});

async function definitionsIn(folder: string): Promise<readonly (Defined & { readonly at: string })[]> {
  const files = readdirSync(packagePath(folder)).filter((file) => file.endsWith(".ts"));
  const found = await Promise.all(
    files.map(async (file) => {
      const exported: Record<string, unknown> = await import(packagePath(`${folder}/${file}`));
      return Object.entries(exported).flatMap(([name, value]) =>
        isDefined(value) ? [{ ...value, at: `${name} (${folder}/${file})` }] : [],
      );
    }),
  );
  return found.flat();
}

function isDefined(value: unknown): value is Defined {
  return value instanceof Object && "input" in value && ("plan" in value || "ask" in value);
}
