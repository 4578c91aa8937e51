import { z } from "zod";
import { tools } from "../../../src/mcp/tools/index.ts";

/** A tool's parameters as seed 001 writes them: `name, description?`, sorted; those that may be left out have the mark. */
export function parametersOf(name: string): string[] {
  const tool = tools.find((one) => one.name === name);
  if (!tool) throw new Error(`There is no tool ${name}.`);
  const { properties = {}, required = [] } = z.toJSONSchema(tool.input, { io: "input" });
  return Object.keys(properties)
    .map((field) => (required.includes(field) ? field : `${field}?`))
    .sort();
}
