import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { packagePath } from "../../src/lib/package-root.ts";
import { printedOnPage } from "../support/console-steps.ts";

const page = readFileSync(packagePath("docs/why.md"), "utf8");

test("the commands on the page of why print what they are said to print, but for times", () => {
  const given = [
    "signalbox task add 'Read the configuration'",
    "signalbox task add 'Export as CSV' --depends-on 1 --verify 'npm test'",
    "signalbox session start 1 --session s-1",
    "signalbox signal ask --session s-1 --question 'Semicolons or tabs?' --blocking",
    "signalbox signal partial --session s-1 --summary 'The reader is there.' --remaining 'The rest.'",
    "signalbox session end s-1 --exit exited",
    "signalbox inbox answer 6 Tabs.",
    "signalbox session start 1 --session s-2",
    "signalbox prompt 1 --session s-2",
    "signalbox signal stuck --session s-2 --reason 'The library knows no tabs.'",
    "signalbox session end s-2 --exit exited",
  ];
  const { shown, printed } = printedOnPage(page, given);
  expect(shown).toHaveLength(8);
  expect(printed).toEqual(shown);
});
