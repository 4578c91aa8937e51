// @module-tag slice

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packagePath } from "../../src/lib/package-root.ts";
import { printedBy, stepsOf, stepsOnPage } from "../support/console-steps.ts";
import { firstMinutes } from "../support/first-minutes.ts";
import { freshFolder } from "../support/project.ts";
import { printedByExample } from "../support/typescript-example.ts";

const readme = readFileSync(packagePath("README.md"), "utf8");
const typescript = readFileSync(packagePath("docs/typescript.md"), "utf8");
const tutorial = readFileSync(packagePath("docs/tutorial.md"), "utf8");

/** As `init --yes` prints it where no agent is on PATH. */
function withoutAgents(text: string): string {
  const [none = ""] = /^There is no coding agent on PATH.*\n/m.exec(tutorial) ?? [];
  return text.replace(/^Agents on PATH: .*\n✓ Agent .*\n/m, none);
}

test("the README opens with the two commands", () => {
  const commands = [...readme.matchAll(/^npm ci && npm .*$/gm)].map(([line]) => line);
  expect(commands.slice(0, 2)).toEqual(["npm ci && npm run demo", "npm ci && npm test"]);
  expect(readme.split("\n").findIndex((line) => line.startsWith("npm ci"))).toBeLessThan(20);
});

test("the README leads from nothing to the reasons of a finished task in five commands", () => {
  const { install, inRepository } = firstMinutes();
  expect(install).toBe("npm install --global signalbox");
  expect(inRepository).toEqual(["signalbox init", "signalbox run", "signalbox why 1"]);
});

test("the tutorial's manual agent and its verified done print the shown output", () => {
  const shop = join(freshFolder(), "shop");
  const steps = stepsOnPage(tutorial);
  expect(steps.length).toBeGreaterThan(14);
  const printed = printedBy(steps, { "/tmp/shop": shop }).map(withoutAgents);
  expect(printed).toEqual(steps.map(({ output }) => output));
});

test("the tutorial's loop prints the shown output, except times and ids of sessions", () => {
  const loop = join(freshFolder(), "loop");
  const [, block = ""] = /```shell-session\n([\s\S]*?)```/.exec(tutorial) ?? [];
  const steps = stepsOf(block);
  expect(steps.length).toBeGreaterThan(5);
  const printed = printedBy(steps, { "/tmp/loop": loop }).map((text) =>
    withoutAgents(text)
      .replace(/^\d\d:\d\d:\d\d /gm, "12:00:00 ")
      .replace(/\bs-[0-9a-f-]{36}/g, "s-…"),
  );
  expect(printed).toEqual(steps.map(({ output }) => output));
});

test("the TypeScript example compiles, and prints the shown output", () => {
  const [, example = "", printed] =
    /```ts\n([\s\S]*?)```[\s\S]*?```text\n([\s\S]*?)```/.exec(typescript) ?? [];
  expect(example).toContain('from "signalbox"');
  expect(printedByExample(example)).toEqual({ compiled: "", stdout: printed, stderr: "" });
});
