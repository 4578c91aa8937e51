import type { z } from "zod";
import { editDistance } from "../events/edit-distance.ts";
import { jsonProblem } from "../events/json.ts";
import { signature } from "./signature.ts";
import { type Tool, ToolRefusal } from "./tool.ts";

/**
 * Checks a call's arguments against the tool's schema.
 *
 * @param tools all tools, to say where a misplaced field belongs
 * @throws ToolRefusal naming each field that is wrong, what would be legal, and what to do
 */
export function checkArguments(tool: Tool, args: unknown, tools: readonly Tool[]): Record<string, unknown> {
  const problem = jsonProblem(args ?? {}, "arguments");
  if (problem) throw refuse(tool, [problem]);
  const parsed = tool.input.safeParse(args ?? {});
  if (parsed.success) return parsed.data;
  // A text that is empty is too short and blank, and says so once.
  const problems = parsed.error.issues.slice(0, 10).flatMap((issue) => explain(issue, tool, args, tools));
  throw refuse(tool, [...new Set(problems)]);
}

function refuse(tool: Tool, problems: readonly string[]): ToolRefusal {
  return new ToolRefusal(
    `Nothing was recorded: ${problems.join("; ")}. Call ${tool.name} again with this put right; ${signature(tool)}.`,
  );
}

function explain(issue: z.core.$ZodIssue, tool: Tool, args: unknown, tools: readonly Tool[]): string[] {
  const path = issue.path.map(String).join(".");
  const given = valueAt(args, issue.path);
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.map((key) => (path ? `\`${path}.${key}\` is no field` : misplaced(key, tool, tools)));
    case "invalid_value":
      return [
        `\`${path}\` is ${given === undefined ? "missing" : show(given)}, legal values are ${issue.values.map(String).join(", ")}`,
      ];
    case "invalid_type":
      return [
        given === undefined
          ? `\`${path}\` is missing`
          : `\`${path || "arguments"}\` is ${show(given)}, it must be ${article(issue.expected)}`,
      ];
    case "too_big":
      return [`\`${path}\` is too long or too large, the limit is ${issue.maximum}`];
    case "too_small":
      return [`\`${path}\` ${tooSmall(issue)}`];
    default:
      return [`\`${path}\` ${issue.message}`];
  }
}

function tooSmall({ origin, minimum }: z.core.$ZodIssueTooSmall): string {
  if (origin === "string")
    return minimum === 1 ? "is blank" : `is too short, the least is ${minimum} characters`;
  if (origin === "array") return minimum === 1 ? "is empty" : `has too few entries, the least is ${minimum}`;
  return `must be ${minimum} or more`;
}

/** Where an unknown field belongs: to another tool, or, misspelt, to this one. */
function misplaced(key: string, tool: Tool, tools: readonly Tool[]): string {
  const own = Object.keys(tool.input.shape).find((field) => editDistance(field, key.toLowerCase()) <= 2);
  if (own) return `${show(key)} is no field of ${tool.name}, did you mean \`${own}\``;
  const others = tools.filter(({ input }) => Object.hasOwn(input.shape, key)).map(({ name }) => name);
  return `${show(key)} is no field of ${tool.name}${others.length > 0 ? `, it belongs to ${others.join(", ")}` : ""}`;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === "object" && inner !== null
        ? Object.getOwnPropertyDescriptor(inner, key)?.value
        : undefined,
    value,
  );
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function article(type: string): string {
  const names: Readonly<Record<string, string>> = {
    object: "an object",
    array: "an array",
    boolean: "true or false",
  };
  return names[type] ?? `a ${type}`;
}
