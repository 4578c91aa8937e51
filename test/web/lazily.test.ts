// @module-tag chromium
import { expect, test } from "vitest";
import { isLive, openPage, useBrowser } from "./support/browser.ts";
import { givenQuestions } from "./support/given-inbox.ts";
import { interruptedPanel } from "./support/interrupted.ts";

useBrowser();

test("a part of the page that could not be loaded while the server was unreachable appears once it is back", async () => {
  const { panel, goAway, comeBack } = await interruptedPanel(await givenQuestions("First?"));
  const { page } = await openPage(panel, "/board");
  await isLive(page);
  await goAway();
  await page.getByRole("status").getByText("reconnecting").waitFor();
  await page.getByRole("link", { name: "Log" }).click();
  const fault = page.getByRole("main").getByText("The server is unreachable.");
  await fault.waitFor();
  await comeBack();
  await isLive(page);
  await page.locator(".log-row").first().waitFor();
  await expect.poll(() => fault.count()).toBe(0);
});
