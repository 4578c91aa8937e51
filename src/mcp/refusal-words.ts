import { nothingGiven } from "../decisions/given-fields.ts";
import type { Refusal } from "../decisions/refusal.ts";
import { optionalFields } from "./signature.ts";
import type { Tool } from "./tool.ts";

/**
 * A decision's refusal in the words of a tool: names the tool's wrong field, or the accepted ones.
 */
export function refusalWords({ message, about }: Refusal, tool: Tool): string {
  if (about.unchanged !== undefined) return nothingGiven(about.unchanged, optionalFields(tool));
  const field = about.field === undefined ? undefined : fieldOf(tool, about.field);
  return field === undefined ? message : `\`${field}\`: ${message}`;
}

/**
 * A tool's name for a decision's field: `task_id` or `filter_feature`; undefined if the tool lacks
 * it.
 */
function fieldOf({ input }: Tool, field: string): string | undefined {
  const names = [field, `${field}_id`, `${field}Id`, `${field}_name`, `filter_${field}`];
  return names.find((name) => Object.hasOwn(input.shape, name));
}
