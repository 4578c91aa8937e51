import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseConfig } from "../../src/config/config.ts";
import { configFields, configJsonSchema } from "../../src/config/shape.ts";
import { packagePath } from "../../src/lib/package-root.ts";
import { printedBy, stepsOnPage } from "../support/console-steps.ts";
import { freshFolder } from "../support/project.ts";
import { fieldRows } from "./config-fields.ts";

const page = readFileSync(packagePath("docs/config.md"), "utf8");
const MARK = "<!-- From here on made from the definitions: npx vitest run test/docs -u -->\n";

/** docs/config.schema.json is written from the schema; `npx vitest run test/docs -u` writes it anew. */
test("docs/config.schema.json is the schema of the configuration, for editors", async () => {
  const schema = { title: "The configuration of a signalbox loop", ...configJsonSchema() };
  await expect(`${JSON.stringify(schema)}\n`).toMatchFileSnapshot("../../docs/config.schema.json");
});

test("docs/config.md describes every field of the configuration with its default, and no other", async () => {
  const [byHand = ""] = page.split(MARK);
  const table = [
    "## Fields",
    "",
    "| field | default | value | meaning |",
    "|---|---|---|---|",
    ...fieldRows(),
    "",
  ];
  await expect(byHand + MARK + table.join("\n")).toMatchFileSnapshot("../../docs/config.md");
});

test("every field of the configuration says what it is for", () => {
  expect(configFields().flatMap(({ path, shape }) => (shape.description ? [] : [path]))).toEqual([]);
});

test("the example in docs/config.md can be used", () => {
  const [, example = ""] = /```json\n([\s\S]*?)```/.exec(page) ?? [];
  expect(parseConfig(JSON.parse(example), "docs/config.md")).toMatchObject({
    jobs: 2,
    limits: { grace_s: 10 },
  });
});

test("a confirmation prints the text in docs/config.md", () => {
  const steps = stepsOnPage(page);
  expect(steps.map(({ command }) => command)).toEqual(["signalbox config trust --yes"]);
  const config =
    '{"agent": "other", "agents": {"other": {"kind": "command", "command": "my-agent {prompt_file}"}}}';
  const before = ["cd /tmp/shop && signalbox init", `echo '${config}' > .ralph/config.json`];
  const printed = printedBy([...before.map((command) => ({ command })), ...steps], {
    "/tmp/shop": freshFolder(),
  });
  expect(printed.slice(before.length)).toEqual(steps.map(({ output }) => output));
});
