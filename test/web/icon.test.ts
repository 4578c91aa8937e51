// @module-tag chromium
import { expect, onTestFinished, test } from "vitest";
import { initProject, openProject } from "../../src/api/project.ts";
import { freshFolder } from "../support/project.ts";
import { freshPanel, openPage, useBrowser } from "./support/browser.ts";

useBrowser();

test("header, title and icon have the project's name, and code keeps its direction", async () => {
  const folder = freshFolder();
  await initProject(folder, { title: "Payments" });
  const project = await openProject(folder);
  onTestFinished(() => project.close());
  const { panel } = await freshPanel({ project });
  const { page, seen } = await openPage(panel, "/log");
  await page.locator(".header .title").getByText("Payments", { exact: true }).waitFor();
  await expect.poll(() => page.title()).toBe("Log · Payments");
  await expect
    .poll(() => page.locator("link[rel=icon]").getAttribute("href"))
    .toMatch(/^data:image\/svg.*>P<\/text>/);
  await page.goto(new URL("/board", page.url()).href);
  await expect
    .poll(() => page.evaluate("getComputedStyle(document.querySelector('code')).unicodeBidi"))
    .toBe("isolate");
  expect(seen).toEqual({ faults: [], strangers: [] });
});
