import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { packagePath } from "../../src/lib/package-root.ts";
import { printedOnPage } from "../support/console-steps.ts";

const page = readFileSync(packagePath("docs/time-travel.md"), "utf8");

test("the commands on the page of time travel print what they are said to print, but for times", () => {
  const given = [
    "signalbox task add 'Export orders as CSV'",
    "signalbox task add 'Mail it' --depends-on 1",
    "signalbox session start 1 --session s-1",
    "signalbox signal ask --session s-1 --question 'Semicolons or tabs?' --blocking",
    "signalbox session end s-1 --exit exited",
    "signalbox inbox answer 6 Semicolons",
  ];
  const { shown, printed } = printedOnPage(page, given);
  expect(shown).toHaveLength(8);
  expect(printed).toEqual(shown);
});
