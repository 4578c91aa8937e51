import { requireDiscipline, requireFeature, stateOf } from "../../decisions/state.ts";
import type { McpServers } from "../../events/types/mcp-fields.ts";
import { type ToolName, toolNames } from "../../operations/tool-names.ts";
import { viewDiscipline } from "../../projections/queries/catalogue.ts";
import type { ReadModel } from "../../projections/read-model.ts";
import type { Context } from "../context.ts";
import { isForOneTask, type RecipeName } from "../recipes.ts";
import { closingTools, sessionTools } from "./closing.ts";
import { checkServerNames } from "./mcp-config.ts";

/** What a session is launched for. */
export interface LaunchWish {
  readonly session: string;
  readonly recipe: RecipeName;
  readonly task: number | null;
  readonly discipline: string | null;
  readonly feature: string | null;
  /** Tools that the session does without, besides those that recipe and discipline take away. */
  readonly without?: readonly ToolName[] | undefined;
  /** True: its agent is to close it, and must be able to; absent: where the recipe is for one task. */
  readonly closes?: boolean | undefined;
}

/** What a session's client and server are given. */
export interface LaunchPlan {
  readonly context: Context;
  /** The discipline's own MCP servers. */
  readonly servers: McpServers;
}

/**
 * What a session gets, as the project stands now: nothing is recorded or written. Its disabled tools are all but those
 * that are enabled, in the order of tool-names.ts.
 *
 * @throws Refusal `not_found`: the discipline or the feature
 * @throws McpConfigError: a server of the discipline has our name
 * @throws NoClosingVerbError: its agent is to close it, and all verbs for that are taken away
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
      // The server takes away what recipe and discipline take away by itself, too: the list can only ever take more.
      disabled_tools: toolNames.filter((tool) => !enabled.includes(tool)),
    },
    servers,
  };
}
