import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { packagePath } from "../../src/lib/package-root.ts";
import { listTemplates } from "../../src/mcp/resources/list.ts";
import { connectWith } from "../support/mcp.ts";
import { freshProject } from "../support/project.ts";

const MARK = "<!-- From here on made from the definitions: npx vitest run test/docs -u -->\n";

/** People write the page's beginning; the list is what a client is told. */
test("docs/resources.md has every resource and template with its type, and no other", async () => {
  const [byHand = ""] = readFileSync(packagePath("docs/resources.md"), "utf8").split(MARK);
  const { project } = await freshProject();
  const { resources } = await (await connectWith(project.store, { recipe: "all" })).listResources();
  const fixed = resources.filter(({ uri }) => !uri.slice("ralph://".length).includes("/"));
  const page = [
    "## The list",
    "",
    "| URI | shows | type |",
    "|---|---|---|",
    ...fixed.map(({ uri, description, mimeType }) => `| \`${uri}\` | ${description} | \`${mimeType}\` |`),
    ...listTemplates().map(
      ({ uriTemplate, description, mimeType }) => `| \`${uriTemplate}\` | ${description} | \`${mimeType}\` |`,
    ),
    "",
  ];
  await expect(byHand + MARK + page.join("\n")).toMatchFileSnapshot("../../docs/resources.md");
});
