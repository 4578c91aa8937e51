import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { policies } from "../../src/events/types/policies.ts";
import { packagePath } from "../../src/lib/package-root.ts";

const MARK = "<!-- From here on made from the definitions: npx vitest run test/docs -u -->\n";
const definitions = Object.entries(policies);

/** People write the page's beginning; the tables are made from the definitions. */
test("docs/policies.md has every policy with its default, what it decides, and what what-if cannot know", async () => {
  const [byHand = ""] = readFileSync(packagePath("docs/policies.md"), "utf8").split(MARK);
  const page = [
    "## The list",
    "",
    "| policy | takes | default | decides | projection |",
    "|---|---|---|---|---|",
    ...definitions.map(
      ([name, { takes, absent, does, readBy }]) =>
        `| \`${name}\` | ${takes} | \`${absent}\` | ${does} | \`${readBy}\` |`,
    ),
    "",
    "## What what-if cannot know",
    "",
    "The log was written under the real policies. What it does not tell about others:",
    "",
    "| policy | what-if cannot know |",
    "|---|---|",
    ...definitions.map(([name, { unknown }]) => `| \`${name}\` | ${unknown} |`),
    "",
  ];
  await expect(byHand + MARK + page.join("\n")).toMatchFileSnapshot("../../docs/policies.md");
});

test.each(definitions)(
  "%s is read by the projection that its definition names, and no other",
  (name, { readBy }) => {
    const read = globSync("src/projections/**/*.ts", { cwd: packagePath(".") }).filter((path) => {
      const source = readFileSync(packagePath(path), "utf8");
      return source.includes("policyValue(") && source.includes(`"${name}"`);
    });
    expect(read).not.toEqual([]);
    for (const path of read) expect(path).toContain(`src/projections/${readBy}/`);
  },
);
