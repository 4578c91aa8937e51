import type { Command } from "commander";
import { nearest } from "../../lib/nearest.ts";
import { pc, print, printJson, printTable } from "../../lib/terminal/output.ts";
import { findRecipe, type Recipe, recipeNames, recipes } from "../../mcp/recipes.ts";

/** Needs no project: the table of recipes is the program's. */
export function addRecipes(program: Command): void {
  program
    .command("recipes")
    .description("list the recipes and the tools that each gives an agent")
    .argument("[name]", "show the tools of this recipe")
    .option("--json", "print JSON for machines")
    .addHelpText("after", "\nExample:\n  signalbox recipes task_execution")
    .action(async (name: string | undefined, { json }: { json?: boolean }, command: Command) => {
      if (name === undefined) {
        const all = await Promise.all(recipes.map(summaryOf));
        if (json) printJson(all);
        else
          printTable(
            ["recipe", "tools", "tokens", "purpose"],
            all.map((recipe) => [recipe.name, recipe.tools, recipe.tokens, recipe.purpose]),
          );
      } else {
        const recipe = findRecipe(name);
        if (!recipe) return command.error(`error: ${unknownRecipe(name)}`);
        const details = await detailsOf(recipe);
        if (json) printJson(details);
        else printDetails(details);
      }
    });
}

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

function printDetails(recipe: Awaited<ReturnType<typeof detailsOf>>): void {
  print(`${pc.bold(recipe.name)}: ${recipe.purpose}`);
  print(`${recipe.tools.length} tools, about ${recipe.tokens} tokens in tools/list\n`);
  printTable(
    ["tool", "description", "here"],
    recipe.tools.map(({ name, title, fields, own }) => [name, title, narrowed(fields, own, recipe.own)]),
  );
}

/** How a recipe narrows a tool, for people. */
function narrowed(fields: readonly string[] | null, own: string | null, of: Recipe["own"] | null): string {
  const parts = [
    fields && `only takes ${fields.join(", ")}`,
    own && `${own}: only the session's own ${of}`,
  ].filter((part) => part !== null);
  return parts.join("; ");
}
