import { expect, test } from "vitest";
import { type Recipe, recipes } from "../../src/mcp/recipes.ts";
import { tools } from "../../src/mcp/tools/index.ts";
import { signalbox, signalboxJson } from "../support/cli.ts";
import { connectWith } from "../support/mcp.ts";
import { freshFolder, freshProject } from "../support/project.ts";

test("recipes lists each recipe with its purpose and its tools' cost, even without a project", async () => {
  const listed = await signalboxJson(["recipes"], { cwd: freshFolder() });
  expect(listed).toEqual(
    recipes.map(({ name, purpose }) => ({
      name,
      purpose,
      tools: expect.any(Number),
      tokens: expect.any(Number),
    })),
  );
});

test("a recipe's tools and tokens match those that its server lists", async () => {
  const { project, folder: cwd } = await freshProject();
  for (const recipe of ["signals", "all"] as const) {
    const listed = await (await connectWith(project.store, { recipe, task_id: 1 })).listTools();
    const bytes = Buffer.byteLength(JSON.stringify({ tools: listed.tools }));
    expect(await signalboxJson(["recipes", recipe], { cwd })).toMatchObject({
      tokens: Math.ceil(bytes / 4),
      tools: listed.tools.map(({ name, title }) => ({ name, title })),
    });
  }
});

const all: readonly Recipe[] = recipes;

test.each(all)(
  "recipes $name shows its tools, and how it narrows them",
  async ({ name, fields, own, ...rest }) => {
    const known = rest.tools.flatMap((named) => tools.find((tool) => tool.name === named) ?? []);
    expect(await signalboxJson(["recipes", name], { cwd: freshFolder() })).toMatchObject({
      name,
      own: own ?? null,
      tools: known.map((tool) => ({
        name: tool.name,
        command: tool.command,
        fields: fields?.[tool.name] ?? null,
        own: own !== undefined && tool.target?.of === own ? tool.target.field : null,
      })),
    });
  },
);

test("a recipe that is not there is refused, and the one that was meant is named", async () => {
  const ran = await signalbox(["recipes", "opus_reveiw"]);
  expect(ran).toMatchObject({ exitCode: 2, stdout: "" });
  expect(ran.stderr).toContain(
    "there is no recipe 'opus_reveiw'. Did you mean opus_review? The recipes are signals,",
  );
});
