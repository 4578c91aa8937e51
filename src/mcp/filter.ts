import type { ToolName } from "../operations/tool-names.ts";
import type { Recipe } from "./recipes.ts";

/** The restrictions of a recipe's list of tools; nothing adds to that list. */
export interface Restrictions {
  /** The discipline's `additional_disabled`. */
  readonly byDiscipline: readonly string[];
  /** `disabled_tools` of context.json. */
  readonly byContext: readonly string[];
}

/** A session's tools: the recipe's list without those removed by the discipline and the context. */
export function enabledTools(recipe: Recipe, { byDiscipline, byContext }: Restrictions): ToolName[] {
  const disabled = new Set([...byDiscipline, ...byContext]);
  return recipe.tools.filter((tool) => !disabled.has(tool));
}
