import { z } from "zod";
import type { Tool } from "./tool.ts";

/**
 * A tool as `tools/list` shows it. Clients differ in what they take: `$schema` makes some drop the tool, the bounds
 * that zod gives integers are noise, and hidden tools are rarely called (design.md, MCP).
 */
export function listTool(tool: Tool) {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: { ...plainSchema(tool.input), additionalProperties: false },
    outputSchema: plainSchema(tool.output),
    annotations: tool.annotations,
    _meta: { "anthropic/alwaysLoad": true },
  };
}

function plainSchema(schema: z.ZodObject) {
  const {
    $schema: _,
    additionalProperties: __,
    ...rest
  } = z.toJSONSchema(schema, {
    io: "input",
    override: ({ jsonSchema }) => {
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      // The limit of a text is generous; a call that exceeds it is told so.
      if (jsonSchema.type === "string") delete jsonSchema.maxLength;
    },
  });
  // A zod object's JSON schema is of type object; its type does not say so.
  return rest as typeof rest & { type: "object" };
}
