import { z } from "zod";
import { nearest } from "../lib/nearest.ts";

/** Every tool by family, in listing order. */
export const toolFamilies = {
  signals: ["done", "partial", "stuck", "ask", "flag", "learned", "suggest", "blocked"],
  gates: ["verify"],
  sessions: ["create_ralph_session", "update_session_state", "complete_ralph_session"],
  tasks: [
    "list_tasks",
    "get_task",
    "create_task",
    "update_task",
    "delete_task",
    "set_task_status",
    "enrich_task",
  ],
  comments: ["add_task_comment", "update_task_comment", "delete_task_comment"],
  features: [
    "list_features",
    "get_feature",
    "create_feature",
    "update_feature",
    "delete_feature",
    "append_feature_learning",
    "add_feature_context_file",
  ],
  disciplines: [
    "list_disciplines",
    "get_discipline",
    "create_discipline",
    "update_discipline",
    "delete_discipline",
  ],
  project: ["get_project_info", "get_project_progress"],
  state_files: ["append_learning", "read_learnings", "append_progress", "read_progress"],
} as const;

export type ToolName = (typeof toolFamilies)[keyof typeof toolFamilies][number];

export const toolNames: readonly ToolName[] = Object.values(toolFamilies).flat();

/** The name of one of our tools. */
export const toolName = z.string().transform((value, problems): ToolName => {
  const known = toolNames.find((tool) => tool === value);
  if (known) return known;
  const meant = nearest(value, toolNames);
  const hint = meant ? `did you mean ${meant}` : `the tools are ${toolNames.join(", ")}`;
  problems.addIssue(`names ${JSON.stringify(value)}, which is not a tool; ${hint}`);
  return z.NEVER;
});
