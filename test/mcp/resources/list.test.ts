import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { UriTemplate } from "@modelcontextprotocol/sdk/shared/uriTemplate.js";
import type { Resource } from "@modelcontextprotocol/sdk/types.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { recipeNames } from "../../../src/mcp/recipes.ts";
import { splitUri, uriOf } from "../../../src/mcp/resources/uri.ts";
import { createFeature } from "../../../src/operations/features.ts";
import { startSession } from "../../../src/operations/sessions.ts";
import { connectWith } from "../../support/mcp.ts";
import { givenClient, taskCreated, textOf } from "./given.ts";

const FIXED = ["ralph://board", "ralph://inbox", "ralph://progress", "ralph://learnings"];

async function allPages(client: Client): Promise<Resource[][]> {
  const pages: Resource[][] = [];
  for (let cursor: string | undefined, first = true; first || cursor; first = false) {
    const { resources, nextCursor } = await client.listResources(cursor === undefined ? {} : { cursor });
    pages.push(resources);
    cursor = nextCursor;
  }
  return pages;
}

test("listed are the four that there is one of, then tasks, features, disciplines and sessions", async () => {
  const { project, client } = await givenClient();
  await project.decide(startSession({ task: 1, session: "s-1" }));
  const { resources, nextCursor } = await client.listResources();
  expect(nextCursor).toBeUndefined();
  expect(resources.map(({ uri }) => uri)).toEqual([
    ...FIXED,
    "ralph://tasks/1",
    "ralph://features/general",
    "ralph://disciplines/general",
    "ralph://sessions/s-1",
  ]);
  expect(resources[4]).toEqual({
    uri: "ralph://tasks/1",
    name: "tasks/1",
    title: "#1 Export as CSV",
    description: "A task: fields, gates, status changes with their reasons, timeline.",
    mimeType: "application/json",
  });
  expect(resources.at(-1)).toMatchObject({ name: "sessions/s-1", title: "Session of task #1" });
});

test("each has a name, a title, a description and the type that reading it gives", async () => {
  const { project, client } = await givenClient();
  await project.decide(startSession({ task: 1, session: "s-1" }));
  const { resources } = await client.listResources();
  for (const { uri, name, title, description, mimeType } of resources) {
    expect(
      [name, title, description].every((text) => text),
      uri,
    ).toBe(true);
    const { contents } = await client.readResource({ uri });
    expect(contents).toEqual([{ uri, mimeType, text: expect.any(String) }]);
  }
  const plain = resources.filter(({ mimeType }) => mimeType === "text/plain").map(({ uri }) => uri);
  expect(plain).toEqual(["ralph://progress", "ralph://learnings"]);
});

test("the four kinds are templates", async () => {
  const { client } = await givenClient();
  const { resourceTemplates } = await client.listResourceTemplates();
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
    "ralph://tasks/{id}",
    "ralph://features/{name}",
    "ralph://disciplines/{name}",
    "ralph://sessions/{id}",
  ]);
  for (const { name, title, description, mimeType } of resourceTemplates) {
    expect([name, title, description].every((text) => text)).toBe(true);
    expect(mimeType).toBe("application/json");
  }
});

test("a page has at most 100 resources, and the pages list each one once", async () => {
  const { project, client } = await givenClient();
  await project.log.append(Array.from({ length: 10_000 - 1 }, (_, index) => taskCreated(index + 2)));
  const pages = await allPages(client);
  expect(pages.map((page) => page.length)).toEqual([...Array.from({ length: 100 }, () => 100), 6]);
  expect(JSON.stringify(pages[0]).length).toBeLessThan(32_000);
  const uris = pages.flat().map(({ uri }) => uri);
  expect(new Set(uris).size).toBe(10_006);
  expect(uris.slice(-3)).toEqual([
    "ralph://tasks/10000",
    "ralph://features/general",
    "ralph://disciplines/general",
  ]);
});

test("a cursor stays valid while resources come and go: none that stays is skipped or repeated", async () => {
  const { project, client } = await givenClient();
  await project.log.append(Array.from({ length: 149 }, (_, index) => taskCreated(index + 2)));
  const first = await client.listResources();
  await project.log.append([
    ...[3, 96, 97].map((task) => ({ type: "task.deleted", actor: "human", payload: { task } }) as const),
    taskCreated(151),
  ]);
  const { resources } = await client.listResources({ cursor: String(first.nextCursor) });
  expect(first.resources.at(-1)?.uri).toBe("ralph://tasks/96");
  expect(resources[0]?.uri).toBe("ralph://tasks/98");
  expect(resources.map(({ uri }) => uri)).toContain("ralph://tasks/151");
});

test.each([
  ["that was made up", "x"],
  ["that is empty", ""],
  ["of a kind that is not there", Buffer.from("4 7").toString("base64url")],
  ["with something behind it", `${Buffer.from("0 7").toString("base64url")}=`],
])("a cursor %s is refused, with the remedy", async (_what, cursor) => {
  const { client } = await givenClient();
  const refused = { code: -32602, message: expect.stringContaining("start again without a cursor") };
  await expect(client.listResources({ cursor })).rejects.toMatchObject(refused);
  await expect(client.listResourceTemplates({ cursor })).rejects.toMatchObject(refused);
});

test.each(recipeNames)(
  "resources are available in the recipe %s, whatever its context removes",
  async (recipe) => {
    const { project } = await givenClient();
    const client = await connectWith(project.store, {
      recipe,
      task_id: 1,
      // No tool can be listed with a discipline that is not there, and none is left by the context anyway.
      discipline: "gone",
      disabled_tools: ["done", "list_tasks", "get_task"],
    });
    expect(client.getServerCapabilities()).toMatchObject({
      resources: { subscribe: true, listChanged: true },
      completions: {},
    });
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri).slice(0, 4)).toEqual(FIXED);
    for (const { uri } of resources) expect(await textOf(client, uri)).not.toBe("");
  },
);

const key = fc.string({ unit: "grapheme", minLength: 1 });

test("the URI of any name has only unreserved characters and leads back to it", () => {
  fc.assert(
    fc.property(fc.constantFrom("tasks", "features"), key, (kind, name) => {
      const uri = uriOf(kind, name);
      expect(uri).toMatch(/^ralph:\/\/[a-z]+\/[A-Za-z0-9\-._~%]+$/);
      expect(splitUri(uri)).toEqual({ kind, key: name });
    }),
  );
});

test.each(["a/b ü", "100%", "..", "what?#!'()*", "日本"])(
  "a feature named %s is listed under a URI that reads it, and so is the template's",
  async (name) => {
    const { project, client } = await givenClient();
    await project.decide(createFeature({ name, display_name: "Odd" }));
    const { resources } = await client.listResources();
    const listed = resources.find((resource) => resource.name === `features/${name}`)?.uri ?? "";
    const { resourceTemplates } = await client.listResourceTemplates();
    const expanded = new UriTemplate(resourceTemplates[1]?.uriTemplate ?? "").expand({ name });
    for (const uri of [listed, expanded]) {
      expect(JSON.parse(await textOf(client, uri))).toMatchObject({ name, display_name: "Odd" });
    }
  },
);

test("a title that would act on a terminal is listed as escapes", async () => {
  const { project, client } = await givenClient();
  await project.decide(createFeature({ name: "odd", display_name: "a\u202eb" }));
  const { resources } = await client.listResources();
  expect(resources.find(({ name }) => name === "features/odd")?.title).toBe("a\\u{202e}b");
});
