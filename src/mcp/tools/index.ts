import { comments } from "../../operations/comments.ts";
import { disciplines } from "../../operations/disciplines.ts";
import { features } from "../../operations/features.ts";
import { learnings } from "../../operations/learnings.ts";
import { progress } from "../../operations/progress.ts";
import { project } from "../../operations/project.ts";
import { tasks } from "../../operations/tasks.ts";
import { type ToolName, toolNames } from "../../operations/tool-names.ts";
import { toolsOf } from "../operation-tools.ts";
import type { Tool } from "../tool.ts";
import { sessionStateTool } from "./session-state.ts";
import { sessionTools } from "./session-tools.ts";
import { signalTools } from "./signals.ts";
import { stateFileTools } from "./state-files.ts";
import { verifyTool } from "./verify.ts";

const defined: readonly Tool[] = [
  ...signalTools,
  verifyTool,
  sessionStateTool,
  ...sessionTools,
  ...[tasks, features, disciplines, comments, learnings, project, progress].flatMap(toolsOf),
  ...stateFileTools,
];

/** Every tool, in the order of tool-names.ts. Adding one: see CONTRIBUTING.md. */
export const tools: readonly Tool[] = toolNames.flatMap((name) => findIn(name) ?? []);

function findIn(name: ToolName): Tool | undefined {
  return defined.find((tool) => tool.name === name);
}
