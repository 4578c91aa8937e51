import { type RecipeName, recipeNames } from "../events/types/recipe-names.ts";
import { type ToolName, toolFamilies, toolNames } from "../operations/tool-names.ts";

/**
 * The purposes of agents, with their tools. `task_execution` also has the verbs, `verify` and
 * `update_session_state`; `signals` is for an agent that only reports; `all` is for a human's own
 * client.
 */
export interface Recipe {
  readonly name: RecipeName;
  /** What its agent is to do. */
  readonly purpose: string;
  readonly tools: readonly ToolName[];
  /** Only these fields of these tools. */
  readonly fields?: Readonly<Partial<Record<ToolName, readonly string[]>>>;
  /** Tools accept only the session's own thing of this kind. */
  readonly own?: "task" | "discipline";
}

const VERBS = toolFamilies.signals;

export const recipes = [
  {
    name: "signals",
    purpose: "Work on one task and report; no access to the project's plan.",
    tools: [...VERBS, "verify", "update_session_state"],
  },
  {
    name: "braindump",
    purpose: "Turn a human's brain dump into features, disciplines and tasks.",
    tools: [
      "create_feature",
      "create_discipline",
      "create_task",
      "list_features",
      "list_disciplines",
      "list_tasks",
      "get_feature",
      "get_discipline",
      "get_project_info",
    ],
  },
  {
    name: "yap",
    purpose: "Discuss tasks: refine them, add new ones.",
    tools: [
      "list_tasks",
      "get_task",
      "create_task",
      "update_task",
      "list_features",
      "list_disciplines",
      "set_task_status",
      "get_project_info",
    ],
  },
  {
    name: "ramble",
    purpose: "Discuss a feature and refine its design.",
    tools: [
      "list_features",
      "get_feature",
      "create_feature",
      "update_feature",
      "append_feature_learning",
      "add_feature_context_file",
      "list_tasks",
      "get_project_info",
    ],
  },
  {
    name: "discuss",
    purpose: "Discuss a discipline: its persona and its conventions.",
    tools: ["list_disciplines", "get_discipline", "update_discipline", "get_project_info"],
    own: "discipline",
  },
  {
    name: "task_execution",
    purpose: "Work on one task, with its details, notes and learnings at hand.",
    tools: [
      ...VERBS,
      "verify",
      "update_session_state",
      "get_task",
      "set_task_status",
      "add_task_comment",
      "append_learning",
      "append_progress",
      "add_feature_context_file",
      "read_learnings",
      "read_progress",
      "get_project_info",
    ],
    own: "task",
  },
  {
    name: "opus_review",
    purpose: "Review finished work: follow-up tasks, priorities, learnings.",
    tools: [
      "list_tasks",
      "get_task",
      "set_task_status",
      "update_task",
      "create_task",
      "add_task_comment",
      "list_features",
      "get_feature",
      "update_feature",
      "append_feature_learning",
      "append_learning",
      "append_progress",
      "read_learnings",
      "read_progress",
      "get_project_info",
      "get_project_progress",
    ],
    fields: { update_task: ["id", "priority", "description"] },
  },
  {
    name: "enrichment",
    purpose: "Add pseudocode and acceptance criteria to drafts, and split them.",
    tools: [
      "list_tasks",
      "get_task",
      "enrich_task",
      "update_task",
      "create_task",
      "list_features",
      "get_feature",
      "list_disciplines",
      "get_project_info",
    ],
  },
  {
    name: "all",
    purpose: "Everything, for a human's own client.",
    tools: toolNames,
  },
] as const satisfies readonly Recipe[];

export { type RecipeName, recipeNames };

export function findRecipe(name: string): Recipe | undefined {
  return recipes.find((recipe) => recipe.name === name);
}

/** True for a recipe of one session on one task: its agent closes that session with a verb. */
export function isForOneTask(name: RecipeName): boolean {
  const tools = findRecipe(name)?.tools;
  return name !== "all" && tools?.includes("done") === true;
}
