// @module-tag firefox
import { expect, test } from "vitest";
import { createTask } from "../../src/operations/tasks.ts";
import { openInFirefox, useFirefox } from "./support/firefox.ts";
import { givenQuestions } from "./support/given-inbox.ts";
import { freshPanel } from "./support/panel.ts";

useFirefox();

async function given(path: string) {
  const project = await givenQuestions("Tabs or semicolons?", "Which gauge?");
  const { panel } = await freshPanel({ project });
  return { project, panel, ...(await openInFirefox(panel, path)) };
}

test("in Firefox the board shows what comes, and a task opens beside it", async () => {
  const { project, page, faults } = await given("/board");
  await page.locator(".board-column article ::-p-text(Task of Which gauge?)").wait();
  await project.decide(createTask({ title: "Set the signals" }));
  await page.locator(".board-column article a ::-p-text(Set the signals)").click();
  await page.locator("aside ::-p-text(Set the signals)").wait();
  expect(new URL(page.url()).searchParams.get("task")).toBe("3");
  await page.keyboard.press("Escape");
  await page.waitForFunction("!new URLSearchParams(location.search).has('task')");
  expect(faults).toEqual([]);
});

test("in Firefox a question in the inbox is answered", async () => {
  const { project, page, faults } = await given("/inbox");
  await page.locator("a ::-p-text(Tabs or semicolons?)").click();
  await page.locator("main button::-p-text(tabs)").click();
  await expect.poll(async () => (await project.queries.inbox()).length).toBe(1);
  const [answered] = (await project.log.read(0, 500)).filter(({ type }) => type === "question.answered");
  expect(answered?.payload).toMatchObject({ answer: "tabs" });
  expect(faults).toEqual([]);
});

test("in Firefox the past is shown by the time bar's slider, and the present again", async () => {
  const { project, panel, page, faults } = await given("/board");
  const head = await project.log.head();
  await page.locator(".board-column article ::-p-text(Task of Which gauge?)").wait();
  await page.locator("::-p-aria([name='Time bar: now'][role='button'])").click();
  await page.locator("input[type=range]").wait();
  await page.focus("input[type=range]");
  await page.keyboard.press("Home");
  await page.waitForFunction("!document.querySelector('main').innerText.includes('Which gauge?')");
  await page.waitForFunction("new URLSearchParams(location.search).has('at')");
  await page.goto(new URL(`/board?at=${head}`, panel.address).href);
  await page.locator("main ::-p-text(Task of Which gauge?)").wait();
  await page.locator("::-p-aria([name='Back to now'][role='button'])").click();
  await page.waitForFunction("!new URLSearchParams(location.search).has('at')");
  expect(faults).toEqual([]);
});

test("in Firefox the log is filtered, an event opens, and new ones arrive", async () => {
  const { project, page, faults } = await given("/log?type=task.created&order=oldest_first");
  await page.locator(".log-row ::-p-text(Task of Which gauge?)").wait();
  await project.decide(createTask({ title: "Set the signals" }));
  await page.locator(".log-row ::-p-text(Set the signals)").click();
  await page.locator("aside.event ::-p-text(task.created)").wait();
  expect(new URL(page.url()).searchParams.get("event")).toBe(String(await project.log.head()));
  expect(faults).toEqual([]);
});
