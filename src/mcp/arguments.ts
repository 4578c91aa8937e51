import type { z } from "zod";
import { jsonProblem } from "../lib/json.ts";
import { nearest } from "../lib/nearest.ts";
import { inOurWords, showValue } from "../lib/wrong-values.ts";
import { signature } from "./signature.ts";
import type { Tool } from "./tool.ts";
import { ToolRefusal } from "./tool-refusal.ts";

/**
 * Checks a call's arguments against the tool's schema.
 *
 * @param tools all tools, to find the one that has a misplaced field
 * @throws ToolRefusal naming each wrong field, a valid value, and what to do
 */
export function checkArguments(tool: Tool, args: unknown, tools: readonly Tool[]): Record<string, unknown> {
  const problem = jsonProblem(args ?? {}, "arguments");
  if (problem) throw refuse(tool, [problem]);
  const parsed = tool.input.safeParse(args ?? {}, inOurWords);
  if (parsed.success) return parsed.data;
  // An empty text is both too short and blank, and is reported once.
  const problems = parsed.error.issues.slice(0, 10).flatMap((issue) => explain(issue, tool, tools));
  throw refuse(tool, [...new Set(problems)]);
}

function refuse(tool: Tool, problems: readonly string[]): ToolRefusal {
  return new ToolRefusal(
    `Nothing was recorded: ${problems.join("; ")}. Correct this and call ${tool.name} again; ` +
      `${signature(tool)}.`,
  );
}

function explain(issue: z.core.$ZodIssue, tool: Tool, tools: readonly Tool[]): string[] {
  const path = issue.path.map(String).join(".");
  if (issue.code !== "unrecognized_keys") return [`\`${path || "arguments"}\` ${issue.message}`];
  return issue.keys.map((key) => (path ? `\`${path}.${key}\` is not a field` : misplaced(key, tool, tools)));
}

/** The tool that has an unknown field, or this tool's field with a similar name. */
function misplaced(key: string, tool: Tool, tools: readonly Tool[]): string {
  const own = nearest(key, Object.keys(tool.input.shape));
  if (own) return `${showValue(key)} is not a field of ${tool.name}, did you mean \`${own}\``;
  const others = tools.filter(({ input }) => Object.hasOwn(input.shape, key)).map(({ name }) => name);
  return (
    `${showValue(key)} is not a field of ` +
    `${tool.name}${others.length > 0 ? `, it belongs to ${others.join(", ")}` : ""}`
  );
}
