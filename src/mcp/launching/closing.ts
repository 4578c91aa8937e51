import { type ClosingVerb, closingVerbs } from "../../events/types/signals.ts";
import { ToldError } from "../../lib/told-error.ts";
import type { ToolName } from "../../operations/tool-names.ts";
import { enabledTools } from "../filter.ts";
import { findRecipe, type RecipeName } from "../recipes.ts";

/** The inputs for a session's tools. */
export interface ToolsWish {
  readonly recipe: RecipeName;
  /** Absent: no discipline, or only its name is known. */
  readonly discipline?:
    | { readonly name: string; readonly disabled_tools: readonly string[] }
    | null
    | undefined;
  /** Tools that the launch also removes. */
  readonly without?: readonly ToolName[] | undefined;
}

/**
 * The tools of a session that its agent has to close, in the order of its recipe; contains at least
 * one closing verb.
 *
 * @throws NoClosingVerbError
 */
export function closingTools(wish: ToolsWish): ToolName[] {
  const tools = sessionTools(wish);
  if (!closingVerbs.some((verb) => tools.includes(verb))) throw new NoClosingVerbError(wish);
  return tools;
}

/** A session's tools in the order of its recipe, before its context.json removes more. */
export function sessionTools({ recipe, discipline, without = [] }: ToolsWish): ToolName[] {
  const found = findRecipe(recipe);
  return found
    ? enabledTools(found, { byDiscipline: discipline?.disabled_tools ?? [], byContext: without })
    : [];
}

/**
 * An agent could not close its session, because all closing verbs are removed. `message` says by
 * whom, and what to do.
 */
export class NoClosingVerbError extends ToldError<"no_closing_verb"> {
  override readonly name = "NoClosingVerbError";
  readonly fault = "refused";

  constructor({ recipe, discipline, without = [] }: ToolsWish) {
    const byDiscipline = closingVerbs.filter((verb) => discipline?.disabled_tools.includes(verb));
    const byLaunch = closingVerbs.filter((verb) => without.includes(verb) && !byDiscipline.includes(verb));
    const taken = [
      ...(discipline ? takenBy(`the discipline "${discipline.name}"`, byDiscipline) : []),
      ...takenBy("the launch", byLaunch),
    ];
    super(
      "no_closing_verb",
      `An agent could not close a session of the recipe ${recipe}: ` +
        `${taken.join(", ") || "it has no verb for that"}. Keep at least one of ` +
        `${closingVerbs.join(", ")}${wayOut(discipline?.name, byDiscipline)}.`,
    );
  }
}

function takenBy(who: string, verbs: readonly ClosingVerb[]): string[] {
  return verbs.length === 0 ? [] : [`${who} removes ${verbs.join(", ")}`];
}

function wayOut(discipline: string | undefined, verbs: readonly ClosingVerb[]): string {
  return discipline === undefined || verbs.length === 0
    ? ""
    : `; to change its tools, run \`signalbox discipline set ${discipline} --disable-tools NAMES\``;
}
