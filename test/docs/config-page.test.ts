import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseConfig } from "../../src/config/config.ts";
import { configFields, configJsonSchema } from "../../src/config/shape.ts";
import { packagePath } from "../../src/lib/package-root.ts";
import { printedBy, stepsOnPage } from "../support/console-steps.ts";
import { freshFolder } from "../support/project.ts";

const page = readFileSync(packagePath("docs/config.md"), "utf8");

/** docs/config.schema.json is written from the schema; `npx vitest run test/docs -u` writes it anew. */
test("docs/config.schema.json is the schema of the configuration, for editors", async () => {
  const schema = { title: "The configuration of a signalbox loop", ...configJsonSchema() };
  await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot("../../docs/config.schema.json");
});

test("docs/config.md describes every field of the configuration with its default, and no other", () => {
  const described = new Map(
    [...page.matchAll(/^\| `([\w.*$]+)` \| (.+?) \| \S.* \|$/gm)].map(([, path = "", value]) => [
      path,
      value,
    ]),
  );
  const defaults = new Map<string, unknown>();
  for (const { path, shape } of configFields()) {
    defaults.set(path, defaults.get(path) ?? shape.default);
  }
  expect([...described.keys()].sort()).toEqual([...defaults.keys()].sort());
  for (const [path, value] of defaults) {
    const right =
      value === undefined ? (path === "agents.*.kind" ? "required" : "none") : JSON.stringify(value);
    expect(described.get(path)?.replaceAll("`", ""), path).toBe(right);
  }
});

test("the example in docs/config.md can be used", () => {
  const [, example = ""] = /```json\n([\s\S]*?)```/.exec(page) ?? [];
  expect(parseConfig(JSON.parse(example), "docs/config.md")).toMatchObject({
    jobs: 2,
    limits: { grace_s: 10 },
  });
});

test("a confirmation prints what docs/config.md says that it prints", () => {
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
