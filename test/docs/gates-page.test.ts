import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { gatesOf } from "../../src/gates/syntax/gate-line.ts";
import { GateSyntaxError } from "../../src/gates/syntax/gate-syntax-error.ts";
import { parseGateLine } from "../../src/gates/syntax/parse.ts";
import { packagePath } from "../../src/lib/package-root.ts";
import { printedBy, stepsOnPage, withoutTimes } from "../support/console-steps.ts";
import { freshFolder } from "../support/project.ts";
import { printedByExample } from "../support/typescript-example.ts";

const page = readFileSync(packagePath("docs/gates.md"), "utf8");

test("the valid lines on the gates page parse, and the invalid ones fail", () => {
  const commands = [...page.matchAll(/^\$ signalbox .*'([^']+)'$/gm)].map(([, line = ""]) => line);
  const inProse = [...page.matchAll(/`((?:::|>>) ?[^`\s][^`]*)`/g)].map(([, line = ""]) => line);
  const lines = [...commands, ...inProse];
  expect(lines.length).toBeGreaterThan(6);
  const refused = lines.filter((line) => line.includes("maxx"));
  expect(refused).toHaveLength(1);
  for (const line of refused) expect(() => parseGateLine(line), line).toThrow(GateSyntaxError);
  for (const line of lines)
    if (!refused.includes(line)) expect(() => parseGateLine(line), line).not.toThrow();
});

test("the commands on the gates page print the shown output, except times and fingerprints", () => {
  const folder = freshFolder();
  const steps = stepsOnPage(page);
  expect(steps.length).toBeGreaterThan(5);
  const before = [
    `cd ${folder} && git init --quiet && signalbox init`,
    `echo '{"scripts":{"test":"echo fine"}}' > package.json && npm config set --location=project loglevel=silent`,
  ];
  const start = "signalbox session start 1 --session s-1";
  const commands = steps.flatMap(({ command }) =>
    command.endsWith("--session s-1") ? [start, command] : [command],
  );
  const all = [...before, ...commands];
  const printed = printedBy(
    all.map((command) => ({ command })),
    {},
  );
  const shown = printed.filter((_, place) => steps.some(({ command }) => command === all[place]));
  expect(shown.map(masked)).toEqual(steps.map(({ output }) => masked(output)));
});

function masked(text: string): string {
  return withoutTimes(text)
    .replace(/\d+\.\d s\b/g, "(seconds)")
    .replace(/\b[0-9a-f]{12}\b/g, "(fingerprint)");
}

test("the numbers on the gates page are a gate's limits", () => {
  const rows = [...page.matchAll(/^\| `?(none|:\w+)`? \| (\d+) \| (\d+) \|$/gm)];
  expect(rows).toHaveLength(4);
  for (const [, option = "", max, seconds] of rows) {
    const line = parseGateLine(`:: verify:"a"${option === "none" ? "" : ` ${option}`}`);
    expect(gatesOf(line), option).toEqual([{ command: "a", max: Number(max), timeout_s: Number(seconds) }]);
  }
});

test("the TypeScript example on the gates page compiles, and prints the shown output", () => {
  const [, example = "", printed] = /```ts\n([\s\S]*?)```[\s\S]*?```text\n([\s\S]*?)```/.exec(page) ?? [];
  expect(example).toContain("runGates");
  expect(printedByExample(example)).toEqual({ compiled: "", stdout: printed, stderr: "" });
});
