import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { packagePath } from "../../src/lib/package-root.ts";

const step = z.union([
  z.strictObject({ run: z.string(), env: z.strictObject({ CI: z.literal("") }).optional() }),
  z.object({ uses: z.string() }),
]);
const workflow = z.object({
  permissions: z.record(z.string(), z.string()),
  jobs: z.object({
    test: z.object({
      strategy: z.object({ matrix: z.object({ system: z.array(z.string()), node: z.array(z.number()) }) }),
      steps: z.array(step),
    }),
  }),
});
const { permissions, jobs } = workflow.parse(
  parse(readFileSync(packagePath(".github/workflows/test.yml"), "utf8")),
);
const { strategy, steps } = jobs.test;

test("the workflow runs what a contributor runs, on three systems and two versions of Node", () => {
  const [, commands = ""] =
    /```sh\n([^`]+)```/.exec(readFileSync(packagePath("CONTRIBUTING.md"), "utf8")) ?? [];
  const run = steps.flatMap((one) => ("run" in one ? [one.run] : []));
  expect(run.sort()).toEqual(commands.trim().split("\n").sort());
  expect(strategy.matrix.system.map((system) => system.split("-")[0])).toEqual([
    "ubuntu",
    "macos",
    "windows",
  ]);
  expect(strategy.matrix.node).toEqual([20, 24]);
});

test("the workflow may only read, and names the version of each action", () => {
  expect(permissions).toEqual({ contents: "read" });
  const used = steps.flatMap((one) => ("uses" in one ? [one.uses] : []));
  expect(used.filter((action) => !/^actions\/[a-z-]+@v\d+$/.test(action))).toEqual([]);
});
