import { listTool } from "./listing.ts";
import { narrowFields } from "./narrowing.ts";
import type { Recipe } from "./recipes.ts";
import type { Tool } from "./tool.ts";
import { tools } from "./tools/index.ts";

/**
 * A recipe's tools in its order, with the fields that it leaves them: as a session has them that nothing else is taken
 * away from.
 */
export function recipeTools(recipe: Recipe): readonly Tool[] {
  const named = recipe.tools.flatMap((name) => tools.find((tool) => tool.name === name) ?? []);
  return named.map((tool) => narrowFields(tool, recipe));
}

/** What the answer to `tools/list` costs an agent, in tokens: an estimate, a quarter of its bytes, rounded up. */
export function listTokens(listed: readonly Tool[]): number {
  return Math.ceil(Buffer.byteLength(JSON.stringify({ tools: listed.map(listTool) })) / BYTES_PER_TOKEN);
}

const BYTES_PER_TOKEN = 4;
