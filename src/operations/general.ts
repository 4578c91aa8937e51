import type { Decision } from "../decisions/decide.ts";
import { together } from "../decisions/together.ts";
import { createDiscipline } from "./disciplines.ts";
import { createFeature } from "./features.ts";

/** The feature and the discipline of every project, used by tasks that name no other. */
export function createGeneral(): Decision<"feature.created"> {
  const general = { name: "general", display_name: "General" };
  return together(createFeature(general), createDiscipline(general));
}
