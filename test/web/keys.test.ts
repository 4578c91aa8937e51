// @module-tag chromium
import { expect, test } from "vitest";
import { addLearning } from "../../src/operations/learnings.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { freshPanel, openPage, useBrowser } from "./support/browser.ts";

useBrowser();

test("while the sheet of keys is open no key acts behind it, and Escape closes it alone", async () => {
  const { project, panel } = await freshPanel();
  await project.decide(createTask({ title: "Lay the points" }));
  await project.decide(createTask({ title: "Set the signals" }));
  const { page, seen } = await openPage(panel, "/log");
  await page.locator(".log-row", { hasText: "Set the signals" }).click();
  const event = page.getByRole("complementary", { name: "Event" });
  await event.getByText("task.created").waitFor();
  const { search } = new URL(page.url());
  await page.keyboard.press("?");
  const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await sheet.getByText("next event").waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press("ArrowLeft");
  await expect.poll(() => new URL(page.url()).search).toBe(search);
  await page.keyboard.press("Escape");
  await expect.poll(() => sheet.count()).toBe(0);
  await expect.poll(() => new URL(page.url()).search).toBe(search);
  await page.keyboard.press("Escape");
  await expect.poll(() => event.count()).toBe(0);
  expect(seen).toEqual({ faults: [], strangers: [] });
});

test("a key works from the moment its target is drawn", async () => {
  const { project, panel } = await freshPanel();
  await project.decide(addLearning({ text: "Times are in UTC.", source: "human" }));
  const { page, seen } = await openPage(panel, "/log");
  await page.addInitScript({
    content: `new MutationObserver((_, observer) => {
      if (!document.querySelector("button.learning-row")) return;
      observer.disconnect();
      document.dispatchEvent(new KeyboardEvent("keydown", { key: "j" }));
    }).observe(document, { childList: true, subtree: true });`,
  });
  await page.goto(new URL("/learnings", page.url()).href);
  await page.getByRole("complementary", { name: "Learning" }).waitFor();
  expect(seen).toEqual({ faults: [], strangers: [] });
});

test("j and k go through the log, as through other lists", async () => {
  const { project, panel } = await freshPanel();
  for (const title of ["First", "Second", "Third"]) await project.decide(createTask({ title }));
  const { page, seen } = await openPage(panel, "/log");
  const head = await project.log.head();
  await page.getByRole("link", { name: "#3 Third" }).waitFor();
  const selected = () => new URL(page.url()).searchParams.get("event");
  for (const [key, position] of [
    ["j", head],
    ["j", head - 1],
    ["j", head - 2],
    ["k", head - 1],
    ["k", head],
    ["k", head],
  ] as const) {
    await page.keyboard.press(key);
    await expect.poll(selected).toBe(String(position));
  }
  await page.getByRole("complementary", { name: "Event" }).getByText(`#${head}`).waitFor();
  expect(seen).toEqual({ faults: [], strangers: [] });
});

test("g and a letter goes to a view, another key cancels it, and the sheet says first what is possible here", async () => {
  const { project, panel } = await freshPanel();
  await project.decide(createTask({ title: "Lay the points" }));
  const { page, seen } = await openPage(panel, "/board");
  await page.getByRole("link", { name: "Lay the points" }).focus();
  await page.keyboard.press("g");
  await page.getByText("i Inbox", { exact: false }).first().waitFor();
  await page.keyboard.press("j");
  await page.locator(".key-hint").waitFor({ state: "detached" });
  expect(new URL(page.url()).pathname).toBe("/board");
  await page.keyboard.press("?");
  const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await sheet.getByText("edit the task").waitFor();
  expect(await sheet.getByRole("heading").allTextContents()).toEqual([
    ...["Selected task", "Board", "Go to", "Time travel", "Everywhere"],
  ]);
  await page.keyboard.press("Escape");
  for (const [letter, path] of [
    ["o", "/log"],
    ["s", "/sessions"],
    ["i", "/inbox"],
  ] as const) {
    await page.keyboard.press("g");
    await page.keyboard.press(letter);
    await expect.poll(() => new URL(page.url()).pathname).toBe(path);
  }
  await page.getByRole("link", { name: "Board" }).and(page.getByTitle("Board (g b)")).waitFor();
  expect(seen).toEqual({ faults: [], strangers: [] });
});
