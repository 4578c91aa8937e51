import type { Client as NewClient } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { expect, onTestFinished, test } from "vitest";
import { contextSchema } from "../../../src/mcp/context.ts";
import { recipeTools } from "../../../src/mcp/recipe-tools.ts";
import { type Recipe, recipes } from "../../../src/mcp/recipes.ts";
import { createServer } from "../../../src/mcp/server.ts";
import { startSession } from "../../../src/operations/sessions.ts";
import { createTask } from "../../../src/operations/tasks.ts";
import { freshProject } from "../../support/project.ts";
import { connectHere, INFO, newClient } from "./clients.ts";

/* The clients of both eras at one server: what one of them gets, the other gets too. */

async function given({ name: recipe }: Recipe) {
  const { project } = await freshProject();
  for (const title of ["Export as CSV", "Import", "Search"]) await project.decide(createTask({ title }));
  await project.decide(startSession({ task: 1, session: "s-1" }));
  const context = contextSchema.parse({ session_id: "s-1", recipe, task_id: 1, discipline: "general" });
  const server = createServer({ context, open: async () => project.store });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await server.connect(theirs);
  const before = new OldClient(INFO);
  await before.connect(ours);
  onTestFinished(() => before.close());
  const now = await connectHere(server, newClient("sdk 2 pinned"));
  return { project, before, now };
}

async function callBy(client: OldClient | NewClient, name: string, args: Record<string, unknown>) {
  const _meta = { "claudecode/toolUseId": `toolu_${name}` };
  const {
    content,
    structuredContent,
    isError = false,
  } = await client.callTool({ name, arguments: args, _meta });
  return { content, structuredContent, isError };
}

test.each(recipes)("both eras list the tools of the recipe $name alike, to the byte", async (recipe) => {
  const { before, now } = await given(recipe);
  expect(JSON.stringify((await now.listTools()).tools)).toBe(
    JSON.stringify((await before.listTools()).tools),
  );
});

test.each(recipes)(
  "each call in the recipe $name that both eras make under one name is recorded once, and answered alike",
  async (recipe) => {
    const { project, before, now } = await given(recipe);
    for (const [index, { name, example }] of recipeTools(recipe).entries()) {
      const clients = index % 2 === 0 ? ([now, before] as const) : ([before, now] as const);
      const first = await callBy(clients[0], name, { ...example });
      const head = await project.log.head();
      expect(await callBy(clients[1], name, { ...example }), name).toEqual(first);
      expect(await project.log.head(), name).toBe(head);
    }
  },
);

test.each(recipes)(
  "wrong arguments in the recipe $name are refused alike, and nothing is recorded",
  async (recipe) => {
    const { project, before, now } = await given(recipe);
    const head = await project.log.head();
    for (const { name } of recipeTools(recipe)) {
      const refused = await callBy(now, name, { no_such_field: 1 });
      expect(refused, name).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining("no_such_field") }],
      });
      expect(await callBy(before, name, { no_such_field: 1 }), name).toEqual(refused);
    }
    expect(await project.log.head()).toBe(head);
  },
);
