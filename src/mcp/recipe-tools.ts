import { listTool } from "./listing.ts";
import { narrowFields } from "./narrowing.ts";
import type { Recipe } from "./recipes.ts";
import type { Tool } from "./tool.ts";
import { tools } from "./tools/index.ts";

/**
 * A recipe's tools in its order, with the fields that it leaves them, before any restriction by a
 * session.
 */
export function recipeTools(recipe: Recipe): readonly Tool[] {
  const named = recipe.tools.flatMap((name) => tools.find((tool) => tool.name === name) ?? []);
  return named.map((tool) => narrowFields(tool, recipe));
}

/** The cost of the `tools/list` answer in tokens, estimated as bytes divided by 4, rounded up. */
export function listTokens(listed: readonly Tool[]): number {
  return Math.ceil(Buffer.byteLength(JSON.stringify({ tools: listed.map(listTool) })) / BYTES_PER_TOKEN);
}

const BYTES_PER_TOKEN = 4;
