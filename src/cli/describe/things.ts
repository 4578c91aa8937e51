import type { EventDefinition } from "../../events/event.ts";
import { definitionOf, eventDefinitions } from "../../events/types/index.ts";
import { nearest } from "../../lib/nearest.ts";
import type { Tool } from "../../mcp/tool.ts";
import { tools } from "../../mcp/tools/index.ts";
import { type ContractTable, contract } from "../../read-model/contract.ts";

/** What can be described: a tool, a type of event, a table or a view, by its definition. */
export type Thing =
  | { readonly kind: "tool"; readonly name: string; readonly definition: Tool }
  | { readonly kind: "event"; readonly name: string; readonly definition: EventDefinition }
  | { readonly kind: "table" | "view"; readonly name: string; readonly definition: ContractTable };

/** Everything that can be described. No name is that of two things; a test holds it. */
export const things: readonly Thing[] = [
  ...tools.map((definition) => ({ kind: "tool" as const, name: definition.name, definition })),
  ...eventDefinitions.flatMap(({ type }) => {
    const definition = definitionOf(type);
    return definition ? [{ kind: "event" as const, name: type, definition }] : [];
  }),
  ...contract.map((definition) => ({ kind: definition.kind, name: definition.name, definition })),
];

/** The thing of this name, or of the only event that has the name for a part of its own; else why there is none. */
export function findThing(name: string): Thing | { readonly problem: string } {
  const exact = things.find((thing) => thing.name === name);
  if (exact) return exact;
  const [part, ...others] = things.filter((thing) => thing.name.split(".").includes(name));
  if (part && others.length === 0) return part;
  if (part) return { problem: `'${name}' may be ${[part, ...others].map((thing) => thing.name).join(", ")}` };
  const meant = nearest(
    name,
    things.map((thing) => thing.name),
  );
  return {
    problem: `there is no tool, event or table '${name}'.${meant ? ` Did you mean ${meant}?` : ""} Run \`signalbox describe\` to see all`,
  };
}
