import type { ToolName } from "../operations/tool-names.ts";
import type { Recipe } from "./recipes.ts";

/** What takes tools away from a recipe's list; nothing adds to it. */
export interface Restrictions {
  /** The discipline's `additional_disabled`. */
  readonly byDiscipline: readonly string[];
  /** `disabled_tools` of context.json. */
  readonly byContext: readonly string[];
}

/** The tools that a session has: the recipe's list without what the discipline and the context take away. */
export function enabledTools(recipe: Recipe, { byDiscipline, byContext }: Restrictions): ToolName[] {
  const disabled = new Set([...byDiscipline, ...byContext]);
  return recipe.tools.filter((tool) => !disabled.has(tool));
}
