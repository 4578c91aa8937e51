import { requireDiscipline, requireFeature, stateOf } from "../../decisions/state.ts";
import type { McpServers } from "../../events/types/mcp-fields.ts";
import { type ToolName, toolNames } from "../../operations/tool-names.ts";
import { viewDiscipline } from "../../queries/catalogue.ts";
import type { ReadModel } from "../../read-model/read-model.ts";
import type { Context } from "../context.ts";
import { isForOneTask, type RecipeName } from "../recipes.ts";
import { closingTools, sessionTools } from "./closing.ts";
import { checkServerNames } from "./mcp-config.ts";

/** The inputs of a session's launch. */
export interface LaunchWish {
  readonly session: string;
  readonly recipe: RecipeName;
  readonly task: number | null;
  readonly discipline: string | null;
  readonly feature: string | null;
  /** Tools to remove in addition to those that recipe and discipline remove. */
  readonly without?: readonly ToolName[] | undefined;
  /**
   * True: its agent has to close it, and must be able to; absent: true if the recipe is for one
   * task.
   */
  readonly closes?: boolean | undefined;
}

/** The settings of a session's client and server. */
export interface LaunchPlan {
  readonly context: Context;
  /** The discipline's own MCP servers. */
  readonly servers: McpServers;
}

/**
 * Plans a session's launch in the project's current state; records and writes nothing. Its disabled
 * tools are all but the enabled ones, in the order of tool-names.ts.
 *
 * @throws Refusal `not_found`: the discipline or the feature
 * @throws McpConfigError: a server of the discipline has our name
 * @throws NoClosingVerbError: its agent has to close it, and all closing verbs are removed
 */
export function planLaunch(readModel: ReadModel, wish: LaunchWish): LaunchPlan {
  const { session, recipe, task, feature, without, closes = isForOneTask(recipe) } = wish;
  const state = stateOf(readModel);
  if (feature !== null) requireFeature(state, feature);
  const discipline =
    wish.discipline === null ? undefined : viewDiscipline(requireDiscipline(state, wish.discipline));
  const servers = discipline?.mcp_servers ?? {};
  checkServerNames(servers);
  const enabled = (closes ? closingTools : sessionTools)({ recipe, discipline, without });
  return {
    context: {
      session_id: session,
      recipe,
      discipline: wish.discipline,
      feature,
      task_id: task,
      // The server applies recipe and discipline itself too: this list can only remove more.
      disabled_tools: toolNames.filter((tool) => !enabled.includes(tool)),
    },
    servers,
  };
}
