// @module-tag chromium
import { expect, test } from "vitest";
import { policies } from "../../src/events/types/policies.ts";
import { setPolicy } from "../../src/operations/policies.ts";
import { freshPanel, openPage, useBrowser } from "./support/browser.ts";

useBrowser();

test("the page lists each policy with its value, its default, what it decides and who set it, at any position", async () => {
  const { project, panel, origin } = await freshPanel();
  const { page, seen } = await openPage(panel, "/charts");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("Policies");
  await page.getByRole("option", { name: /^Policies/ }).click();
  await page.getByRole("heading", { level: 1, name: "Policies" }).waitFor();
  // The heading is there before the list.
  await page.getByRole("listitem", { name: "stuck_limit" }).waitFor();
  const names = await page.getByRole("main").getByRole("listitem").all();
  expect(await Promise.all(names.map((item) => item.getAttribute("aria-label")))).toEqual(
    Object.keys(policies),
  );
  const limit = page.getByRole("listitem", { name: "stuck_limit" });
  await limit.getByText("Never set").waitFor();
  await project.decide(setPolicy({ policy: "stuck_limit", value: 5 }));
  await limit.getByText("stuck_limit: 5").waitFor();
  await limit.getByText(/fails\. It takes a whole number from 1 to 1000; the default is 3\./).waitFor();
  const event = await project.log.head();
  await limit
    .getByText(/^Set by human/)
    .getByRole("link", { name: `#${event}` })
    .click();
  await page.getByText("Policy stuck_limit is 5").first().waitFor();
  await page.goto(`${origin}/policies?at=${event - 1}`);
  await limit.getByText("stuck_limit: 3").waitFor();
  expect(seen).toEqual({ faults: [], strangers: [] });
});
