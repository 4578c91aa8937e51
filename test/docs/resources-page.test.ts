import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { packagePath } from "../../src/lib/package-root.ts";
import { listTemplates } from "../../src/mcp/resources/list.ts";
import { connectWith } from "../support/mcp.ts";
import { freshProject } from "../support/project.ts";

const page = readFileSync(packagePath("docs/resources.md"), "utf8");

test("docs/resources.md has every resource and template with its type, and no other", async () => {
  const { project } = await freshProject();
  const { resources } = await (await connectWith(project.store, { recipe: "all" })).listResources();
  const fixed = resources.filter(({ uri }) => !uri.slice("ralph://".length).includes("/"));
  const rows = [...page.matchAll(/^\| `(ralph:[^`]+)` \|.*\| `([^`]+)` \|$/gm)];
  expect(rows.map(([, uri, type]) => [uri, type])).toEqual([
    ...fixed.map(({ uri, mimeType }) => [uri, mimeType]),
    ...listTemplates().map(({ uriTemplate, mimeType }) => [uriTemplate, mimeType]),
  ]);
});
