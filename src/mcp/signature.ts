import type { z } from "zod";
import type { Tool } from "./tool.ts";

/**
 * The fields of a tool, required ones first: `ask takes question, blocking and optionally options`.
 */
export function signature(tool: Tool): string {
  const required = requiredFields(tool).join(", ");
  const optional = optionalFields(tool).join(", ");
  const parts = [required, optional && `optionally ${optional}`].filter(Boolean);
  return `${tool.name} takes ${parts.join(" and ") || "no arguments"}`;
}

function requiredFields({ input }: Tool): string[] {
  return Object.keys(input.shape).filter((field) => !isOptional(input.shape[field]));
}

/** The names of the fields that a call may leave out. */
export function optionalFields({ input }: Tool): string[] {
  return Object.keys(input.shape).filter((field) => isOptional(input.shape[field]));
}

function isOptional(schema: unknown): boolean {
  // Every member of a zod object's shape is a zod schema, which its type does not say.
  return (schema as z.ZodType).safeParse(undefined).success;
}
