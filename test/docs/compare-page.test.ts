import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packagePath } from "../../src/lib/package-root.ts";
import { printedBy, stepsOnPage } from "../support/console-steps.ts";
import { freshFolder } from "../support/project.ts";

const page = readFileSync(packagePath("docs/compare.md"), "utf8");

test("the commands that compare signalbox with other tools print what the page shows", () => {
  const steps = stepsOnPage(page);
  expect(steps.length).toBeGreaterThan(15);
  const printed = printedBy(steps, { "/tmp/shop": join(freshFolder(), "shop") });
  expect(printed.map(alike)).toEqual(steps.map(({ output }) => alike(output)));
});

test("every cell of the comparison that links to a source has its address", () => {
  const named = [...page.matchAll(/\]\[([\w-]+)\]/g)].map(([, name]) => name);
  const given = [...page.matchAll(/^\[([\w-]+)\]: https:/gm)].map(([, name]) => name);
  expect(named.length).toBeGreaterThan(30);
  expect([...new Set(named)].sort()).toEqual([...given].sort());
});

/** Without times, the log's name, and the blanks that fill a table's last column. */
function alike(text: string): string {
  return text
    .replace(/\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d+Z)?/g, "(time)")
    .replace(/signalbox\/[\w-]+/g, "signalbox/…")
    .replace(/ +$/gm, "");
}
