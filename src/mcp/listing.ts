import { z } from "zod";
import { toolFamilies } from "../operations/tool-names.ts";
import type { Tool } from "./tool.ts";

/**
 * A tool as `tools/list` shows it. Clients differ: `$schema` makes some drop the tool, and hidden
 * tools are rarely called.
 *
 * Each byte costs every agent in every session, so dispensable parts are left out: bounds and
 * strictness (a wrong call gets a precise error), fields of nested objects, and everything but the
 * names of an answer's fields (decision 0017).
 */
export function listTool(tool: Tool) {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: plainSchema(tool.input),
    outputSchema: tool.terse ? { type: "object" as const } : outline(tool.output),
    annotations: tool.annotations,
    ...(VERBS.has(tool.name) && { _meta: { "anthropic/alwaysLoad": true } }),
  };
}

/** A session's essential tools are never hidden behind a tool search. */
const VERBS: ReadonlySet<string> = new Set(toolFamilies.signals);

function plainSchema(schema: z.ZodObject) {
  const {
    $schema: _,
    additionalProperties: __,
    ...rest
  } = z.toJSONSchema(schema, {
    io: "input",
    override: ({ jsonSchema, path }) => {
      for (const bound of BOUNDS) delete jsonSchema[bound];
      if (path.length > 0 && jsonSchema.type === "object") for (const part of PARTS) delete jsonSchema[part];
    },
  });
  // The JSON schema of a zod object has type object, which its TypeScript type does not say.
  return rest as typeof rest & { type: "object" };
}

/** The fields of an answer that have a single type: clients take others for mistakes, or drop the tool. */
function outline(schema: z.ZodObject) {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: "output" });
  const types = Object.entries(properties).flatMap(([name, property]) =>
    typeof property === "object" && typeof property.type === "string"
      ? [[name, { type: property.type }] as const]
      : [],
  );
  const named = Object.fromEntries(types);
  return {
    type: "object" as const,
    properties: named,
    required: required.filter((name) => Object.hasOwn(named, name)),
  };
}

const BOUNDS = ["minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems"] as const;
const PARTS = ["properties", "required", "additionalProperties"] as const;
