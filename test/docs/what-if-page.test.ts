import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { packagePath } from "../../src/package-root.ts";
import { signalbox } from "../support/cli.ts";

const page = readFileSync(packagePath("docs/what-if.md"), "utf8");

test("the commands on the page of what-if print what they are said to print", async () => {
  const blocks = [...page.matchAll(/```console\n\$ signalbox (.+)\n([\s\S]+?)```/g)];
  expect(blocks).toHaveLength(1);
  for (const [, command = "", printed = ""] of blocks) {
    const ran = await signalbox(command.split(" "));
    expect(ran, command).toMatchObject({ exitCode: 0, stderr: "" });
    expect(ran.stdout.replace(/ +$/gm, ""), command).toBe(printed);
  }
});

test("the figures of the corpus on the page of what-if are those that its rows' options give", async () => {
  const rows = [...page.matchAll(/^\| `(--[^`]+)` \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$/gm)];
  expect(rows).toHaveLength(8);
  for (const [, options = "", ...figures] of rows) {
    const ran = await signalbox(["what-if", "--sims", ...options.split(" "), "--json"]);
    const { differing, parted, other_status, unknown } = JSON.parse(ran.stdout);
    expect([differing.length, parted, other_status, unknown], options).toEqual(figures.map(Number));
  }
});
