// @module-tag chromium
import { expect, test } from "vitest";
import { createTask } from "../../src/operations/tasks.ts";
import { anotherPage, FAR_NAME, freshPanel, openPage, useBrowser } from "./support/browser.ts";
import { interruptedPanel } from "./support/interrupted.ts";

useBrowser();

test("a page of a panel on another machine is live, takes acts, and says why it cannot copy", async () => {
  const { project } = await freshPanel();
  await project.decide(createTask({ title: "Lay the points" }));
  const { panel } = await interruptedPanel(project, FAR_NAME);
  const { page, context, seen } = await openPage(panel, "/tasks/1");
  await expect.poll(() => page.evaluate("isSecureContext")).toBe(false);
  const other = await anotherPage(context, panel, "/board");
  await page.getByLabel("Comment on task 1").fill("Mind the time zone.");
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByText("Mind the time zone.").first().waitFor();
  await expect.poll(() => project.queries.comments(1)).toHaveLength(1);
  await project.decide(createTask({ title: "Oil the points" }));
  await other.page.getByRole("link", { name: "Oil the points" }).waitFor();
  await page.goto(new URL("/log?event=3", panel.address).href);
  await page.getByRole("button", { name: "Copy JSON" }).click();
  const byHand = page.getByRole("dialog", { name: "Copy JSON by hand" });
  await byHand.getByText("This browser copies only on localhost or https.").waitFor();
  await expect.poll(() => byHand.getByRole("textbox").inputValue()).toContain('"position": 3');
  // What the browser says of headers that only a secure origin may send is no fault of the page.
  const faults = [...seen.faults, ...other.seen.faults].filter(
    (fault) => !/Cross-Origin-Opener-Policy/.test(fault),
  );
  expect(faults).toEqual([]);
});
