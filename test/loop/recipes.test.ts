import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LOOP_RECIPES } from "../../src/config/schema.ts";
import { pruneRunFolders } from "../../src/loop/run-folder.ts";
import { contextSchema } from "../../src/mcp/context.ts";
import { recipes } from "../../src/mcp/recipes.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { useBundle } from "../children.ts";
import { givenDiscipline, SHADCN } from "../mcp/launching/given.ts";
import { freshProject } from "../support/project.ts";
import { type GivenLoop, givenLoop, statuses, stepsOf } from "./given-loop.ts";
import { works } from "./script.ts";

/* Catches: an agent with tools that its recipe does not have, a discipline that stops the work of all others. */
const { path: agent } = useBundle("test/loop/children/stand-in-agent.ts");

/** A loop with one task of a discipline `frontend`. */
async function givenFrontend(
  fields: Parameters<typeof givenDiscipline>[2] = {},
  config: object = {},
): Promise<GivenLoop> {
  const loop = await givenLoop(agent, { tasks: [], others: [works()], config });
  await givenDiscipline(loop.project, "frontend", fields);
  await loop.project.decide(createTask({ title: "Export", discipline: "frontend" }));
  return loop;
}

/** What one of the files of the first session that was run holds. */
async function fileOf(loop: GivenLoop, name: string, ...args: readonly string[]): Promise<unknown> {
  const { steps } = await loop.run("--once", ...args);
  const [started] = stepsOf(steps, "session_started");
  return JSON.parse(readFileSync(loop.path(`.ralph/run/${started?.session}/${name}`), "utf8"));
}

test("a loop allows only recipes whose agents can close a session", () => {
  const closing = recipes.filter(({ tools }) =>
    ["done", "partial", "stuck"].every((verb) => tools.some((tool) => tool === verb)),
  );
  expect(closing.map(({ name }) => name).sort()).toEqual([...LOOP_RECIPES].sort());
});

test("each session has its own context: the recipe signals, its task, its feature and discipline", async () => {
  const context = contextSchema.parse(await fileOf(await givenFrontend(), "context.json"));
  expect(context).toMatchObject({
    session_id: expect.stringMatching(/^s-/),
    recipe: "signals",
    discipline: "frontend",
    feature: "general",
    task_id: 1,
  });
  expect(context.disabled_tools).toContain("get_task");
  expect(context.disabled_tools).not.toContain("done");
});

test("the recipe comes from the configuration, and --recipe overrides it", async () => {
  const config = { recipe: "task_execution" };
  expect(await fileOf(await givenFrontend({}, config), "context.json")).toMatchObject(config);
  expect(await fileOf(await givenFrontend({}, config), "context.json", "--recipe", "all")).toMatchObject({
    recipe: "all",
  });
});

test("an agent lacks the tools that its discipline removes, and has its servers", async () => {
  const loop = await givenFrontend({ disabled_tools: ["done"], mcp_servers: { shadcn: SHADCN } });
  const { mcpServers } = (await fileOf(loop, "mcp.json")) as { mcpServers: object };
  expect(Object.keys(mcpServers)).toEqual(["ralph", "shadcn"]);
  expect(mcpServers).toMatchObject({ shadcn: SHADCN });
  expect(await loop.project.queries.sessions()).toMatchObject([{ signals: 0, exit: "crashed" }]);
});

test("a task whose discipline has a server with our name is left out with the reason, and the others go on", async () => {
  const loop = await givenFrontend({ mcp_servers: { ralph: SHADCN } });
  await loop.project.decide(createTask({ title: "Mail it" }));
  const { steps, exitCode } = await loop.run();
  expect(stepsOf(steps, "skipped")).toMatchObject([
    { task: 1, reason: expect.stringContaining('The discipline\'s MCP server "ralph"') },
  ]);
  expect(await statuses(loop.project)).toEqual({ 1: "pending", 2: "done" });
  expect(await loop.project.queries.sessions({ task: 1 })).toEqual([]);
  expect(exitCode).toBe(1);
});

test.each(["signals", "all"])(
  "a task whose discipline leaves no closing verb of %s is left out with the reason, and the others go on",
  async (recipe) => {
    const loop = await givenFrontend({ disabled_tools: ["done", "partial", "stuck"] }, { recipe });
    await loop.project.decide(createTask({ title: "Mail it" }));
    const { steps, exitCode } = await loop.run();
    expect(stepsOf(steps, "skipped")).toMatchObject([
      {
        task: 1,
        reason: expect.stringContaining('the discipline "frontend" removes done, partial, stuck'),
      },
    ]);
    expect(await statuses(loop.project)).toEqual({ 1: "pending", 2: "done" });
    expect(await loop.project.queries.sessions({ task: 1 })).toEqual([]);
    expect(exitCode).toBe(1);
  },
);

test("the prompt that an agent is given speaks of the tools that it has", async () => {
  const loop = await givenFrontend({ disabled_tools: ["ask"] }, { recipe: "task_execution" });
  const { steps } = await loop.run("--once");
  const [started] = stepsOf(steps, "session_started");
  const prompt = readFileSync(loop.path(`.ralph/run/${started?.session}/prompt.md`), "utf8");
  expect(prompt).not.toMatch(/\bask\b/);
  expect(prompt).toContain("\n- tasks: get_task, set_task_status\n");
});

test("files of a manually launched client survive the loop's clean-up", async () => {
  const { db, folder } = await freshProject();
  const run = (name: string) => join(folder, ".ralph", "run", name);
  mkdirSync(run("c-1"), { recursive: true });
  const names = Array.from({ length: 102 }, (_, index) => `s-${1_000 + index}`);
  for (const name of names) {
    mkdirSync(run(name));
    writeFileSync(join(run(name), "prompt.md"), "");
  }
  pruneRunFolders(db, new Set(["s-1000"]));
  expect(["c-1", ...names].filter((name) => !existsSync(run(name)))).toEqual(["s-1001"]);
});
