import type { Discipline } from "../../queries/catalogue.ts";
import { enabledTools } from "../filter.ts";
import { checkServerNames, McpConfigError } from "../launching/mcp-config.ts";
import { type Recipe, recipes } from "../recipes.ts";

/** The parts of a discipline that affect its agents' tools and servers. */
export type DisciplineTools = Pick<Discipline, "name" | "disabled_tools" | "mcp_servers">;

/**
 * recipes.json: an agent's tools by recipe, and by the disciplines that remove tools or add
 * servers. Lists instead of objects keyed by name, so that names cannot affect the order.
 *
 * @param disciplines in any order
 */
export function recipesText(disciplines: readonly DisciplineTools[]): string {
  const listed = disciplines.filter(
    ({ disabled_tools, mcp_servers }) => disabled_tools.length > 0 || Object.keys(mcp_servers).length > 0,
  );
  const sorted = [...listed].sort((a, b) => (a.name < b.name ? -1 : 1));
  return `${JSON.stringify({ recipes, disciplines: sorted.map(describe) }, undefined, 2)}\n`;
}

function describe({ name, disabled_tools, mcp_servers }: DisciplineTools) {
  const problem = clashIn(mcp_servers);
  const all: readonly Recipe[] = recipes;
  return {
    name,
    disabled_tools: [...new Set(disabled_tools)].sort(),
    servers: Object.keys(mcp_servers).sort(),
    ...(problem !== undefined && { problem }),
    recipes: all.map((recipe) => ({
      name: recipe.name,
      tools: enabledTools(recipe, { byDiscipline: disabled_tools, byContext: [] }),
    })),
  };
}

/** Why no session of the discipline can be launched, if so. */
function clashIn(servers: DisciplineTools["mcp_servers"]): string | undefined {
  try {
    checkServerNames(servers);
    return undefined;
  } catch (error) {
    if (error instanceof McpConfigError) return error.message;
    throw error;
  }
}
