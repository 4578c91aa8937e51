import { expect, test } from "vitest";
import { type Field, fieldsOf } from "../../src/cli/describe/fields.ts";
import { listTokens, recipeTools } from "../../src/mcp/recipe-tools.ts";
import { type Recipe, recipes } from "../../src/mcp/recipes.ts";
import type { Tool } from "../../src/mcp/tool.ts";
import { tools } from "../../src/mcp/tools/index.ts";
import { toolFamilies } from "../../src/operations/tool-names.ts";

/** docs/tools.md is written from the definitions; `npx vitest run test/docs -u` writes it anew. */
test("docs/tools.md matches the definitions", async () => {
  const page = [
    "# Tools",
    "",
    "Every tool that the MCP server `ralph` has, written from the definitions in `src/operations` and `src/mcp/tools`. Which of them a session has",
    "follows from its recipe, minus the tools that its discipline and its `context.json` remove; nothing adds to it. Each answer is",
    "JSON; a wrong call gets an error that names the field, the legal values and what to do next, and records nothing. `signalbox",
    "describe TOOL` says the same, and has the JSON Schemas.",
    "",
    "## Recipes",
    "",
    "What a recipe's tools cost its agents is an estimate of their `tools/list`, a token for four bytes.",
    "",
    "| recipe | for | tools | tokens |",
    "|---|---|---|---|",
    ...all.map(
      (recipe) =>
        `| \`${recipe.name}\` | ${recipe.purpose} | ${recipeTools(recipe).length} | ${listTokens(recipeTools(recipe))} |`,
    ),
    "",
    "✓: the recipe has the tool; **own**: for the session's own task or discipline only; names: with these arguments only.",
    "",
    `| tool | ${all.map(({ name }) => `\`${name}\``).join(" | ")} |`,
    `|---|${all.map(() => "---|").join("")}`,
    ...tools.map((tool) => `| \`${tool.name}\` | ${all.map((recipe) => cellOf(tool, recipe)).join(" | ")} |`),
    ...Object.entries(toolFamilies).flatMap(([family, names]) => familyOf(family, names)),
    "",
  ].join("\n");
  await expect(page).toMatchFileSnapshot("../../docs/tools.md");
});

const all: readonly Recipe[] = recipes;

/** How a recipe has a tool. */
function cellOf(tool: Tool, recipe: Recipe): string {
  if (!recipe.tools.includes(tool.name)) return "";
  const fields = recipe.fields?.[tool.name];
  const own = tool.target !== undefined && tool.target.of === recipe.own;
  return [...(own ? ["**own**"] : []), ...(fields ?? [])].join(", ") || "✓";
}

function familyOf(family: string, names: readonly string[]): string[] {
  const own = tools.filter(({ name }) => names.includes(name));
  return own.length === 0 ? [] : ["", `## ${family.replace("_", " ")}`, ...own.flatMap(describe)];
}

function describe(tool: Tool): string[] {
  const { name, title, description, command, example, input, output } = tool;
  return [
    "",
    `### \`${name}\``,
    "",
    `**${title}.** ${description}`,
    "",
    ...argumentTable(fieldsOf(input, "input")),
    ...answerTable(fieldsOf(output, "output")),
    `${hintsOf(tool)}By command: \`signalbox ${command}\`. An example:`,
    "",
    "```json",
    JSON.stringify({ name, arguments: example }),
    "```",
  ];
}

function argumentTable(fields: readonly Field[]): string[] {
  if (fields.length === 0) return ["It takes no arguments.", ""];
  const rows = fields.map(
    ({ name, type, required, limits, meaning }) =>
      `| \`${name}\` | ${type} | ${required ? "yes" : ""} | ${limits} | ${meaning} |`,
  );
  return ["| argument | type | required | limits | meaning |", "|---|---|---|---|---|", ...rows, ""];
}

function answerTable(fields: readonly Field[]): string[] {
  const rows = fields.map(
    ({ name, type, required, meaning }) =>
      `| \`${name}\` | ${type} | ${required ? "" : "may be absent"} | ${meaning} |`,
  );
  return ["| answer | type | | meaning |", "|---|---|---|---|", ...rows, ""];
}

/** What the annotations say, where it is worth saying. */
function hintsOf({ annotations: { readOnlyHint, destructiveHint, idempotentHint } }: Tool): string {
  if (readOnlyHint) return "It only reads. ";
  if (destructiveHint) return idempotentHint ? "It replaces what was there. " : "It takes something away. ";
  return idempotentHint ? "" : "Called again it makes another one, or is refused. ";
}
