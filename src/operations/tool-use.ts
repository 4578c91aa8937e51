import { AGENT, HUMAN } from "../events/actors.ts";
import type { OwnWork } from "./command-words.ts";
import type { AnyToolWords } from "./tool-words.ts";

/** What an agent may do by a command; with neither it is for humans and drivers alone. */
export interface LeftToAgents {
  /** What a command works on that reports, which must be the agent's own. */
  readonly ownWork?: OwnWork | undefined;
  /** What a command asks for that a tool does, too. */
  readonly toolUse?: ToolUse | undefined;
}

/** What a command asks for whose operation is a tool, too. */
export interface ToolUse {
  readonly tool: AnyToolWords;
  /** What the command was given, by its fields. */
  readonly given: object;
  /** What the command assumes for fields that it was not given. */
  readonly assumed: Readonly<Record<string, unknown>>;
}

/** The arguments by which the tool does the same; undefined where it cannot. A tool makes assumptions of its own. */
export function argumentsOf({ tool, given, assumed }: ToolUse): Record<string, unknown> | undefined {
  const args: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(given)) {
    if (value === undefined) continue;
    const names = [field, ...(OTHER_NAMES[field] ?? [])];
    const name = names.find((one) => Object.hasOwn(tool.takes.shape, one));
    if (name !== undefined) args[name] = value === HUMAN && assumed[field] === HUMAN ? AGENT : value;
    else if (!isAssumed(value, assumed[field])) return undefined;
  }
  return args;
}

/** Who it is for is nothing that a tool is told. */
function isAssumed(value: unknown, assumed: unknown): boolean {
  return value === assumed || (assumed === HUMAN && value === AGENT);
}

/** What tools call the fields of operations. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  task: ["task_id", "id"],
  comment: ["comment_id"],
  name: ["feature_name"],
  feature: ["feature_name"],
  path: ["file_path"],
  criteria: ["acceptance_criteria"],
};
