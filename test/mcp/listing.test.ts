import { expect, test } from "vitest";
import { listTool } from "../../src/mcp/listing.ts";
import { listTokens, recipeTools } from "../../src/mcp/recipe-tools.ts";
import { type RecipeName, recipes } from "../../src/mcp/recipes.ts";
import { tools } from "../../src/mcp/tools/index.ts";
import { toolFamilies } from "../../src/operations/tool-names.ts";
import { connectWith } from "../support/mcp.ts";
import { freshProject } from "../support/project.ts";

/** Words that some clients or model APIs cannot take in a tool's schema (design.md, MCP). */
const FORBIDDEN = ["$schema", "$ref", "anyOf", "oneOf", "allOf", "exclusiveMinimum", "const"];

/** Every tool as every recipe has it. */
const narrowed = recipes.flatMap((recipe) =>
  recipeTools(recipe).map((tool) => ({ recipe: recipe.name, name: tool.name, tool })),
);

/** test/mcp/lists/ holds them; `npx vitest run test/mcp/listing.test.ts -u` writes them anew. */
test.each(recipes)("tools/list of the recipe $name is as agreed, to the byte", async (recipe) => {
  const { project } = await freshProject();
  const agent = await connectWith(project.store, { recipe: recipe.name, task_id: 1 });
  const { tools: listed } = await agent.listTools();
  expect(listed).toEqual(recipeTools(recipe).map(listTool));
  await expect(`${JSON.stringify(listed, null, 2)}\n`).toMatchFileSnapshot(`lists/${recipe.name}.json`);
});

test.each(narrowed)(
  "$name in the recipe $recipe has a title, four annotations, an input and an output schema that every client takes",
  ({ tool }) => {
    const listed = listTool(tool);
    expect(listed.name).toMatch(/^[a-z_]{1,64}$/);
    expect(listed.title).toBeTruthy();
    expect(listed.description).toBeTruthy();
    expect(Object.values(listed.annotations).map((hint) => typeof hint)).toEqual(Array(4).fill("boolean"));
    expect(listed.inputSchema).toMatchObject({ type: "object", properties: expect.any(Object) });
    expect(listed.outputSchema).toMatchObject({ type: "object" });
    for (const schema of schemasIn([listed.inputSchema, listed.outputSchema])) {
      expect(Object.keys(schema), "constrains nothing").not.toEqual([]);
      expect(schema.type, "is a union of types").not.toBeInstanceOf(Array);
    }
    const isVerb = toolFamilies.signals.some((verb) => verb === tool.name);
    expect(listed._meta).toEqual(isVerb ? { "anthropic/alwaysLoad": true } : undefined);
    expect(
      keysOf([listed.inputSchema, listed.outputSchema]).filter((key) => FORBIDDEN.includes(key)),
    ).toEqual([]);
  },
);

test("titles tell the tools apart", () => {
  expect(new Set(tools.map(({ title }) => title)).size).toBe(tools.length);
});

test("tools/list of the signal recipe takes at most 1,200 tokens", () => {
  expect(tokensOf("signals")).toBeLessThanOrEqual(1_200);
});

test("tools/list of all tools takes at most 7,000 tokens", () => {
  expect(tokensOf("all")).toBeLessThanOrEqual(7_000);
});

function tokensOf(name: RecipeName): number {
  return listTokens(narrowed.filter(({ recipe }) => recipe === name).map(({ tool }) => tool));
}

/** The names of all fields in a value, however deep. */
function keysOf(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    ...(Array.isArray(value) ? [] : [key]),
    ...keysOf(inner),
  ]);
}

/** All schemas in these: of fields, and of items. */
function schemasIn(schemas: readonly unknown[]): Readonly<Record<string, unknown>>[] {
  return schemas.filter(isObject).flatMap((schema) => {
    const fields = isObject(schema.properties) ? Object.values(schema.properties) : [];
    return [schema, ...schemasIn([...fields, schema.items])];
  });
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
