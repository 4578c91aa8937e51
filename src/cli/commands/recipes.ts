import { z } from "zod";
import { nearest } from "../../lib/nearest.ts";
import { pc, tableLines } from "../../lib/terminal/output.ts";
import { findRecipe, type Recipe, recipeNames, recipes } from "../../mcp/recipes.ts";
import { BadValue } from "../../operations/command-words.ts";
import { jsonOption } from "../making/command.ts";
import { defineOutside } from "../making/project-command.ts";

/** Needs no project: the table of recipes is the program's. */
export const listRecipes = defineOutside({
  input: z.strictObject({ name: z.string().optional() }),
  options: jsonOption,
  async run({ name }) {
    if (name === undefined) return await Promise.all(recipes.map(summaryOf));
    const recipe = findRecipe(name);
    if (recipe) return await detailsOf(recipe);
    throw new BadValue(unknownRecipe(name));
  },
  command: {
    name: "recipes",
    does: "list the recipes and the tools that each gives an agent",
    takes: { name: ["[name]", "show the tools of this recipe"] },
    example: "task_execution",
    says: (found) =>
      Array.isArray(found)
        ? tableLines(
            ["recipe", "tools", "tokens", "purpose"],
            found.map((recipe) => [recipe.name, recipe.tools, recipe.tokens, recipe.purpose]),
          )
        : detailLines(found),
  },
});

function unknownRecipe(name: string): string {
  const meant = nearest(name, recipeNames);
  return `there is no recipe '${name}'${meant ? `. Did you mean ${meant}?` : "."} The recipes are ${recipeNames.join(", ")}`;
}

async function summaryOf(recipe: Recipe) {
  // Loaded here alone: no other command needs the definitions of all tools.
  const { listTokens, recipeTools } = await import("../../mcp/recipe-tools.ts");
  const tools = recipeTools(recipe);
  return { name: recipe.name, purpose: recipe.purpose, tools: tools.length, tokens: listTokens(tools) };
}

async function detailsOf(recipe: Recipe) {
  const { recipeTools } = await import("../../mcp/recipe-tools.ts");
  const tools = recipeTools(recipe).map(({ name, title, command, target }) => ({
    name,
    title,
    command,
    /** The only fields that it takes here; null: all that it has. */
    fields: recipe.fields?.[name] ?? null,
    /** The field that can only name the session's own task or discipline; null: there is none such. */
    own: target !== undefined && target.of === recipe.own ? target.field : null,
  }));
  return { ...(await summaryOf(recipe)), own: recipe.own ?? null, tools };
}

function detailLines(recipe: Awaited<ReturnType<typeof detailsOf>>): string[] {
  return [
    `${pc.bold(recipe.name)}: ${recipe.purpose}`,
    `${recipe.tools.length} tools, about ${recipe.tokens} tokens in tools/list\n`,
    ...tableLines(
      ["tool", "description", "here"],
      recipe.tools.map(({ name, title, fields, own }) => [name, title, narrowed(fields, own, recipe.own)]),
    ),
  ];
}

/** How a recipe narrows a tool, for people. */
function narrowed(fields: readonly string[] | null, own: string | null, of: Recipe["own"] | null): string {
  const parts = [
    fields && `only takes ${fields.join(", ")}`,
    own && `${own}: only the session's own ${of}`,
  ].filter((part) => part !== null);
  return parts.join("; ");
}
