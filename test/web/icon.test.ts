// @module-tag chromium
import { expect, test } from "vitest";
import { freshPanel, openPage, useBrowser } from "./support/browser.ts";

useBrowser();

test("the icon has the initial of the project, and code keeps its direction", async () => {
  const { panel } = await freshPanel();
  const { page, seen } = await openPage(panel);
  const name = await page.locator(".header .title").innerText();
  await expect
    .poll(() => page.locator("link[rel=icon]").getAttribute("href"))
    .toMatch(new RegExp(`^data:image/svg.*>${name.slice(0, 1).toUpperCase()}</text>`));
  await expect
    .poll(() => page.evaluate("getComputedStyle(document.querySelector('code')).unicodeBidi"))
    .toBe("isolate");
  expect(seen).toEqual({ faults: [], strangers: [] });
});
