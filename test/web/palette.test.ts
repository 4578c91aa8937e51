// @module-tag chromium
import { expect, test } from "vitest";
import type { Project } from "../../src/api/project.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { pauseWork } from "../../src/operations/work.ts";
import { barriersOn } from "./support/axe.ts";
import { freshPanel, openPage, useBrowser } from "./support/browser.ts";

useBrowser();

test("the palette finds views, tasks and actions by name, also while single keys are off", async () => {
  const { project, panel } = await freshPanel();
  await project.decide(createTask({ title: "Lay the points" }));
  await project.decide(createTask({ title: "<img src=x onerror=alert(1)> \u202esignals" }));
  await project.decide(pauseWork({}));
  const { page, context, seen } = await openPage(panel, "/board");
  await context.addInitScript("localStorage.setItem('signalbox-keys', 'off')");
  await page.reload();
  const link = page.getByRole("link", { name: "Lay the points" });
  await link.focus();
  const palette = page.getByRole("dialog", { name: "Views, tasks and actions" });
  const open = async (typed: string) => {
    await page.keyboard.press("Control+k");
    await palette.locator("input:focus").waitFor();
    await page.keyboard.type(typed);
  };
  await open("sig");
  const found = palette.getByRole("option", { name: "#2 <img src=x onerror=alert(1)> \\u{202e}signals" });
  await found.waitFor();
  expect(await barriersOn(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await barriersOn(page)).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.keyboard.press("Escape");
  await page.locator("a:focus", { hasText: "Lay the points" }).waitFor();
  // A key may come before the page has heard that the dialog was closed.
  await open("");
  await page.evaluate(`{
    document.querySelector("dialog[open]").close();
    document.dispatchEvent(new KeyboardEvent("keydown", { key: "k", ctrlKey: true, bubbles: true }));
  }`);
  await palette.locator("input:focus").waitFor();
  await page.keyboard.press("Escape");
  await page.locator("a:focus", { hasText: "Lay the points" }).waitFor();
  await open("set the st");
  await page.keyboard.press("Enter");
  await page.getByRole("menu", { name: "Statuses" }).waitFor();
  await page.keyboard.press("Escape");
  await open("resume");
  await page.keyboard.press("Enter");
  await expect.poll(() => typesOf(project)).toContain("work.resumed");
  await open("theme dark");
  await page.keyboard.press("Enter");
  await page.locator('html[data-theme="dark"]').waitFor();
  await open("#2");
  await page.keyboard.press("Enter");
  await expect.poll(() => new URL(page.url()).pathname).toBe("/tasks/2");
  // In a timeline `c` writes a comment.
  await page.getByRole("textbox", { name: "Comment on task 2" }).waitFor();
  await open("new task");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "New task" }).locator("input:focus").waitFor();
  await page.keyboard.press("Escape");
  await open("charts");
  await palette.getByRole("option", { name: "Charts" }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await expect.poll(() => new URL(page.url()).pathname).toBe("/charts");
  expect(seen).toEqual({ faults: [], strangers: [] });
});

async function typesOf(project: Project): Promise<string[]> {
  return (await project.log.read(0, 500)).map(({ type }) => type);
}
