// @module-tag chromium
import { expect, test } from "vitest";
import { freshTask } from "./support/agent.ts";
import { freshPanel, openPage, routeOpened, useBrowser } from "./support/browser.ts";

useBrowser();

/** How much of the offered text is selected; to be run in the page. */
const SELECTED = "document.querySelector('.copy-by-hand textarea').selectionEnd";

test("a view that waits says so after two seconds, and one that failed says why and tries again", async () => {
  const { project, panel } = await freshPanel();
  await freshTask(project, { title: "Lay the points" });
  const { page } = await openPage(panel, "/log");
  await page.clock.install();
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  let isBroken = true;
  await routeOpened(page, /api\/board/, async (route) => {
    await held;
    if (isBroken)
      await route.fulfill({ status: 500, json: { error: { code: "internal", message: "Broken." } } });
    else await route.continue();
  });
  await page.getByRole("link", { name: "Board" }).click();
  const waits = page.locator('main [role="status"]', { has: page.locator("svg") });
  await waits.waitFor({ state: "attached" });
  expect(await waits.innerText()).toBe("");
  await page.clock.fastForward(2_100);
  await waits.getByText("Loading the board …").waitFor();
  answer();
  const fault = page.getByRole("alert").filter({ hasText: "Broken." });
  await fault.waitFor();
  isBroken = false;
  await fault.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("article", { name: "#1 Lay the points" }).waitFor();
});

test("a copy button says that it copied without changing its size; without a clipboard it offers the text selected", async () => {
  const { panel } = await freshPanel();
  const { page, context, seen } = await openPage(panel, "/log?event=1");
  const button = page.getByRole("button", { name: "Copy JSON" });
  await button.waitFor();
  const size = await button.boundingBox();
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await button.click();
  await page.getByRole("status").getByText("Copied.").waitFor({ state: "attached" });
  expect(await button.boundingBox()).toEqual(size);
  await page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
  await button.click();
  const field = page.getByRole("dialog", { name: "Copy JSON by hand" }).getByRole("textbox");
  await expect.poll(() => page.evaluate<number>(SELECTED)).toBeGreaterThan(20);
  await page.keyboard.press("Escape");
  await field.waitFor({ state: "detached" });
  expect(seen).toEqual({ faults: [], strangers: [] });
});
