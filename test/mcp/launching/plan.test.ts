import fc from "fast-check";
import { expect, test } from "vitest";
import { closeStore } from "../../../src/decisions/store.ts";
import { closingVerbs } from "../../../src/events/types/signals.ts";
import { readContext } from "../../../src/mcp/context.ts";
import { enabledTools } from "../../../src/mcp/filter.ts";
import { NoClosingVerbError } from "../../../src/mcp/launching/closing.ts";
import { writeLaunchFiles } from "../../../src/mcp/launching/launch-files.ts";
import { planLaunch } from "../../../src/mcp/launching/plan.ts";
import { findRecipe, isForOneTask, recipeNames } from "../../../src/mcp/recipes.ts";
import { toolNames } from "../../../src/operations/tool-names.ts";
import { openMemoryStore } from "../../properties/executor.ts";
import { freshFolder, freshProject } from "../../support/project.ts";
import { givenDiscipline, SHADCN, wish } from "./given.ts";

/* Catches: a tool that a launch gives and its recipe does not have, a context that its own server cannot read. */
const toolsOf = (recipe: string) => findRecipe(recipe)?.tools ?? [];

test("for any discipline and launch options, the context is valid and enables exactly the remaining tools of the recipe", async () => {
  const path = `${freshFolder()}/ralph.db`;
  const someTools = fc.subarray([...toolNames]);
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...recipeNames),
      fc.array(fc.oneof(fc.constantFrom(...toolNames), fc.constantFrom("no_such_tool", "create"))),
      someTools,
      async (recipe, byDiscipline, without) => {
        // A session that could not be closed is not launched at all.
        fc.pre(
          !isForOneTask(recipe) ||
            !closingVerbs.every((verb) => [...byDiscipline, ...without].includes(verb)),
        );
        const store = openMemoryStore();
        await givenDiscipline({ store }, "docs", { disabled_tools: byDiscipline });
        const plan = planLaunch(store.readModel, wish({ recipe, task: 7, discipline: "docs", without }));
        await closeStore(store);
        const context = readContext(writeLaunchFiles(path, plan).contextFile);
        expect(context).toEqual(plan.context);
        const left = toolsOf(recipe).filter(
          (tool) => !byDiscipline.includes(tool) && !without.includes(tool),
        );
        expect(toolNames.filter((tool) => !context.disabled_tools.includes(tool)).sort()).toEqual(
          [...left].sort(),
        );
        const recipeItself = findRecipe(recipe);
        expect(
          recipeItself && enabledTools(recipeItself, { byDiscipline, byContext: context.disabled_tools }),
        ).toEqual(left);
      },
    ),
    { numRuns: 50 },
  );
});

test("a plan has what it is for, and the servers of its discipline", async () => {
  const { project } = await freshProject();
  await givenDiscipline(project, "frontend", { mcp_servers: { shadcn: SHADCN } });
  const wanted = wish({ recipe: "task_execution", task: 7, discipline: "frontend", feature: "general" });
  const { context, servers } = planLaunch(project.store.readModel, wanted);
  expect(context).toMatchObject({
    session_id: "s-1",
    recipe: "task_execution",
    discipline: "frontend",
    feature: "general",
    task_id: 7,
  });
  expect(servers).toEqual({ shadcn: SHADCN });
});

test.each([
  [
    { discipline: "fronted" },
    'There is no discipline "fronted". Did you mean "frontend"? The disciplines are: "frontend", "general".',
  ],
  [{ discipline: "x" }, 'There is no discipline "x". The disciplines are: "frontend", "general".'],
  [
    { feature: "Genral" },
    'There is no feature "Genral". Did you mean "general"? The features are: "general".',
  ],
])("a plan for an unknown %j is refused with a valid choice", async (of, message) => {
  const { project } = await freshProject();
  await givenDiscipline(project, "frontend", {});
  expect(() => planLaunch(project.store.readModel, wish({ recipe: "yap", ...of }))).toThrow(
    expect.objectContaining({ name: "Refusal", code: "not_found", message }),
  );
});

test.each(["ralph", "ralph__done"])("a discipline's server named %s is refused", async (name) => {
  const { project } = await freshProject();
  await givenDiscipline(project, "frontend", { mcp_servers: { shadcn: SHADCN, [name]: SHADCN } });
  expect(() => planLaunch(project.store.readModel, wish({ recipe: "yap", discipline: "frontend" }))).toThrow(
    expect.objectContaining({
      name: "McpConfigError",
      message: expect.stringContaining(
        `MCP server "${name}" has the name of signalbox's own server, "ralph"`,
      ),
    }),
  );
});

test("a session that its agent could not close is not planned", async () => {
  const { project } = await freshProject();
  await givenDiscipline(project, "docs", { disabled_tools: ["done", "stuck"] });
  const plan = (of: Parameters<typeof wish>[0]) => () =>
    planLaunch(project.store.readModel, wish({ task: 7, discipline: "docs", ...of }));
  const without = ["partial"] as const;
  expect(plan({ recipe: "signals" })).not.toThrow();
  expect(plan({ recipe: "all", without })).not.toThrow();
  expect(plan({ recipe: "all", without, closes: true })).toThrow(NoClosingVerbError);
  expect(plan({ recipe: "task_execution", without })).toThrow(
    'An agent could not close a session of the recipe task_execution: the discipline "docs" removes done, stuck, the launch removes partial. ' +
      "Keep at least one of done, partial, stuck; to change its tools, run `signalbox discipline set docs --disable-tools NAMES`.",
  );
});
