import { recipes } from "../../mcp/recipes.ts";
import { toolFamilies } from "../../operations/tool-names.ts";
import { type ContractTable, rowSchema } from "../../read-model/contract.ts";
import { jsonSchemaOf } from "./fields.ts";
import type { Thing } from "./things.ts";

/** What `describe --json` prints of a thing: its schemas as JSON Schema, what it means, and an example. */
export function descriptionOf(thing: Thing) {
  switch (thing.kind) {
    case "tool":
      return describeTool(thing);
    case "event":
      return describeEvent(thing);
    default:
      return describeTable(thing);
  }
}

type Of<Kind extends Thing["kind"]> = Extract<Thing, { kind: Kind }>;

function describeTool({ kind, name, definition: tool }: Of<"tool">) {
  return {
    kind,
    name,
    family: familyOf(tool.name),
    title: tool.title,
    description: tool.description,
    command: tool.command,
    recipes: recipes
      .filter((recipe) => recipe.tools.some((one) => one === name))
      .map((recipe) => recipe.name),
    input: jsonSchemaOf(tool.input, "input"),
    output: jsonSchemaOf(tool.output, "output"),
    example: tool.example,
  };
}

function describeEvent({ kind, name, definition: event }: Of<"event">) {
  return {
    kind,
    name,
    description: event.description,
    schema_version: event.version,
    stream: event.stream(event.example),
    payload: jsonSchemaOf(event.payload, "input"),
    example: event.example,
    timeline: event.timeline(event.example),
  };
}

function describeTable({ kind, name, definition: table }: Of<"table" | "view">) {
  return {
    kind,
    name,
    description: table.description,
    key: table.key,
    row: rowSchema(table),
    example: exampleQuery(table),
  };
}

/** The family of a tool: signals, tasks, … */
function familyOf(tool: string): string {
  const found = Object.entries(toolFamilies).find(([, names]) => names.some((name) => name === tool));
  return found?.[0] ?? "";
}

/** A query that works on every read model. */
export function exampleQuery({ name, order }: ContractTable): string {
  const by = order.length > 0 ? ` ORDER BY ${order.join(", ")}` : "";
  return `SELECT * FROM ${name}${by} LIMIT 10`;
}
