// @module-tag chromium
import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { useBundle } from "../children.ts";
import { givenLoop } from "../loop/given-loop.ts";
import type { Act } from "../loop/script.ts";
import { barriersOn } from "./support/axe.ts";
import { freshPanel, openPage, useBrowser } from "./support/browser.ts";

useBrowser();
const { path: agent } = useBundle("test/loop/children/stand-in-agent.ts");

const line = (text: string) => JSON.stringify({ signalbox: "said", text });
/** All in one write: the pipe of an agent that prints line by line may be full. */
const says = (word: string, count: number): Act => ({
  print: Array.from({ length: count }, (_, nth) => line(`${word} ${nth + 1}`)).join("\n"),
});

/** Prints 300 lines, ten more when told, then a last one, and ends. */
const prints: readonly Act[] = [
  { init: "connected" },
  says("early", 300),
  { until: ".ralph/told" },
  { say: "a warning on stderr" },
  says("later", 10),
  { until: ".ralph/told-again" },
  says("very last", 1),
  { call: "done", with: { summary: "Printed." } },
  { result: {} },
];

test("the output of a running session appears as it is printed, is searched, and moves no reader", async () => {
  const loop = await givenLoop(agent, { tasks: [{ title: "Print" }], acts: { 1: [prints] } });
  const { panel } = await freshPanel({ project: loop.project, readOnly: true });
  const { page, seen } = await openPage(panel, "/sessions");
  const run = loop.run();
  await page.getByRole("link", { name: "Print" }).first().click();
  await page.getByRole("link", { name: "Output", exact: true }).click();
  const list = page.getByRole("region", { name: "Output, newest at the bottom" });
  const shown = (text: string) => list.getByText(text, { exact: true });
  // At the end, which it follows.
  await shown("early 300").waitFor();
  writeFileSync(loop.path(".ralph/told"), "");
  await shown("later 10").waitFor();
  await list.getByText("a warning on stderr").waitFor();
  expect(await barriersOn(page)).toEqual([]);
  // A reader who has scrolled up stays there, and is told.
  await list.focus();
  await page.keyboard.press("PageUp");
  await shown("later 10").waitFor({ state: "detached" });
  const mark = list.getByText(/^early 29\d$/).first();
  // Rows that come into view are still measured.
  let place = await mark.boundingBox();
  const isStill = async () => {
    const before = place;
    place = await mark.boundingBox();
    return before?.y === place?.y;
  };
  await expect.poll(isStill).toBe(true);
  writeFileSync(loop.path(".ralph/told-again"), "");
  const news = page.getByRole("button", { name: /^↓ \d+ new$/ });
  await news.waitFor();
  expect(await mark.boundingBox()).toEqual(place);
  await news.click();
  await shown("very last 1").waitFor();
  expect(await run).toMatchObject({ exitCode: 0, stderr: "" });
  // Search, and the place of a result in the output.
  await page.keyboard.press("/");
  await page.keyboard.type("early 7");
  await page.getByText("11 results").waitFor();
  await page
    .getByRole("article")
    .filter({ has: page.getByText("early 7", { exact: true }) })
    .getByRole("link", { name: "show in the output" })
    .click();
  await list.locator('[aria-current="true"]').getByText("early 7", { exact: true }).waitFor();
  await shown("early 6").waitFor();
  await page.reload();
  await list.locator('[aria-current="true"]').getByText("early 7", { exact: true }).waitFor();
  await page.getByRole("link", { name: "go to the end" }).click();
  await list.getByText(/^success/).waitFor();
  expect(seen).toEqual({ faults: [], strangers: [] });
});
