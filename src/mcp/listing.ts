import { z } from "zod";
import { toolFamilies } from "../operations/tool-names.ts";
import type { Tool } from "./tool.ts";

/**
 * A tool as `tools/list` shows it. Clients differ in what they take: `$schema` makes some drop the tool, and hidden
 * tools are rarely called.
 *
 * Each byte costs every agent in every session, so what an agent can do without is left out: bounds and strictness (a
 * call that is wrong is told what is wrong), the fields of an object inside an object, and all but the names of an
 * answer's fields (decision 0017).
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

/** What a session lives by is never hidden behind a search of tools. */
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
  // A zod object's JSON schema is of type object; its type does not say so.
  return rest as typeof rest & { type: "object" };
}

/** The fields of an answer with their types, where they have one type. */
function outline(schema: z.ZodObject) {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: "output" });
  const types = Object.entries(properties).map(([name, property]) => {
    const type = typeof property === "object" ? property.type : undefined;
    return [name, type === undefined ? {} : { type }];
  });
  return { type: "object" as const, properties: Object.fromEntries(types), required };
}

const BOUNDS = ["minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems"] as const;
const PARTS = ["properties", "required", "additionalProperties"] as const;
