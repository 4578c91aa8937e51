import fc from "fast-check";
import { expect, test } from "vitest";
import { enabledTools } from "../../src/mcp/filter.ts";
import { recipes } from "../../src/mcp/recipes.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { toolNames } from "../../src/operations/tool-names.ts";
import { callTool, connectWith } from "../support/mcp.ts";
import { freshProject } from "../support/project.ts";
import { givenDiscipline } from "./launching/given.ts";

/** A discipline may name tools that this version of the program does not have. */
const toolList = fc.array(fc.oneof(fc.constantFrom(...toolNames), fc.constant("tool_of_tomorrow")), {
  maxLength: 50,
});

test("for any discipline and context, a session has the recipe's list without the removed tools, in its order", () => {
  fc.assert(
    fc.property(fc.constantFrom(...recipes), toolList, toolList, (recipe, byDiscipline, byContext) => {
      const enabled = enabledTools(recipe, { byDiscipline, byContext });
      const named = new Set([...byDiscipline, ...byContext]);
      expect(enabled).toEqual(recipe.tools.filter((tool) => !named.has(tool)));
    }),
    { numRuns: 500 },
  );
});

async function given(disabledByDiscipline: string[]) {
  const { project } = await freshProject();
  await givenDiscipline(project, "docs", { disabled_tools: disabledByDiscipline });
  await project.decide(createTask({ title: "Export", discipline: "docs" }));
  return project;
}

test("a server lists, for every recipe, discipline and context, tools of the recipe alone, and takes calls of no other", async () => {
  const runs = fc.asyncProperty(
    fc.constantFrom(...recipes),
    fc.subarray([...toolNames], { maxLength: 20 }),
    fc.subarray([...toolNames], { maxLength: 20 }),
    async (recipe, byDiscipline, byContext) => {
      const project = await given(byDiscipline);
      const agent = await connectWith(project.store, {
        recipe: recipe.name,
        discipline: "docs",
        task_id: 1,
        disabled_tools: byContext,
      });
      const { tools } = await agent.listTools();
      const listed = tools.map(({ name }) => name);
      expect(recipe.tools).toEqual(expect.arrayContaining(listed));
      const head = await project.log.head();
      for (const name of toolNames.filter((tool) => !listed.includes(tool))) {
        await expect(callTool(agent, name, {})).rejects.toMatchObject({ code: -32602 });
      }
      expect(await project.log.head()).toBe(head);
      await agent.close();
    },
  );
  await fc.assert(runs, { numRuns: 30 });
});

test("tools removed by the discipline are gone, even if the context does not say so", async () => {
  const project = await given(["stuck", "flag"]);
  const agent = await connectWith(project.store, { recipe: "signals", discipline: "docs", task_id: 1 });
  const { tools } = await agent.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    "done",
    "partial",
    "ask",
    "learned",
    "suggest",
    "blocked",
    "verify",
    "update_session_state",
  ]);
  await expect(callTool(agent, "flag", { what: "x" })).rejects.toThrow(
    "Unknown tool flag; the tools are done",
  );
});

test("a context with an unknown discipline lists nothing, and says why", async () => {
  const project = await given([]);
  const agent = await connectWith(project.store, { recipe: "signals", discipline: "dcos", task_id: 1 });
  await expect(agent.listTools()).rejects.toThrow('names the discipline "dcos", which does not exist');
});

test("a context of a task that names no discipline has that of its task", async () => {
  const project = await given(["stuck", "flag"]);
  const agent = await connectWith(project.store, { recipe: "signals", task_id: 1 });
  const listed = (await agent.listTools()).tools.map(({ name }) => name);
  expect(listed).not.toContain("flag");
  expect(listed).toContain("done");
});
