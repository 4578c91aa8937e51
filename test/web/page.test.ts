// @module-tag chromium
import { expect, test } from "vitest";
import { addComment } from "../../src/operations/comments.ts";
import { describeProject } from "../../src/operations/project.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { freshTask } from "./support/agent.ts";
import { anotherPage, freshPanel, isLive, openPage, useBrowser } from "./support/browser.ts";
import { watchFrames } from "./support/frames.ts";

useBrowser();

test("the address that is printed opens the page, and its token does not stay in it", async () => {
  const { panel } = await freshPanel();
  const { page, seen } = await openPage(panel);
  await isLive(page);
  await expect.poll(() => page.url()).not.toContain("token");
  expect(seen).toEqual({ faults: [], strangers: [] });
});

test("every open page gets a new event, through the stream of one of them", async () => {
  const { project, panel } = await freshPanel();
  const { page, context } = await openPage(panel, "/log");
  const others = await Promise.all([1, 2, 3, 4, 5, 6, 7].map(() => anotherPage(context, panel, "/log")));
  const pages = [page, ...others.map((other) => other.page)];
  for (const one of pages) await isLive(one);
  await project.decide(createTask({ title: "Lay the points" }));
  for (const one of pages) await one.getByText("Lay the points").first().waitFor();
  await page.close();
  await project.decide(createTask({ title: "Set the signals" }));
  for (const one of pages.slice(1)) await one.getByText("Set the signals").first().waitFor();
});

test("an invalid filter is named in each view, and a button removes it", async () => {
  const { project, panel, origin } = await freshPanel();
  const task = await freshTask(project, { title: "Lay the points" });
  await project.decide(addComment({ task, author: "Ada", body: "Mind the gap." }));
  const { page, seen } = await openPage(panel);
  for (const [path, wrong] of [
    [`/tasks/${task}?kind=nonsense`, "“kind=nonsense” is not a valid filter: use one of "],
    [`/tasks/${task}?by=robots`, "“by=robots” is not a valid filter: use one of agent, human."],
    ["/log?task=abc", "“task=abc” is not a valid filter: use a task number."],
    ["/log?type=nonsense", "“type=nonsense” is not a valid filter: there is no such event type."],
    ["/sessions?running=perhaps", "“running=perhaps” is not a valid filter: use one of yes, no."],
  ] as const) {
    await page.goto(`${origin}${path}`);
    await page.getByRole("alert").getByText(wrong).waitFor();
    await expect.poll(() => page.getByRole("search", { name: "Filters" }).count()).toBe(1);
    await page.getByRole("button", { name: "Clear filters" }).click();
    await expect.poll(() => page.getByRole("alert").count()).toBe(0);
    await expect.poll(() => new URL(page.url()).search).toBe("");
  }
  await page.goto(`${origin}/tasks/${task}?text=${"x".repeat(250)}`);
  await page.getByText("No cards match these filters.").waitFor();
  await expect
    .poll(() => page.getByRole("searchbox", { name: "Search the timeline" }).inputValue())
    .toHaveLength(200);
  expect(seen).toEqual({ faults: [], strangers: [] });
});

test("the document's title names the view and the task", async () => {
  const { project, panel, origin } = await freshPanel();
  const task = await freshTask(project, { title: "Lay the points" });
  const { page } = await openPage(panel, "/log");
  await expect.poll(() => page.title()).toBe("Log · signalbox");
  await page.goto(`${origin}/tasks/${task}`);
  await expect.poll(() => page.title()).toBe(`#${task} Lay the points · signalbox`);
  await page.getByRole("link", { name: /^Sessions/ }).click();
  await expect.poll(() => page.title()).toBe("Sessions · signalbox");
});

test("a project without a title is called by what the server is told, such as its folder", async () => {
  const { project, panel } = await freshPanel({ name: "shop" });
  const { page } = await openPage(panel, "/log");
  await expect.poll(() => page.title()).toBe("Log · shop");
  await page.getByRole("banner").getByText("shop", { exact: true }).waitFor();
  await project.decide(describeProject({ title: "The shop" }));
  await expect.poll(() => page.title()).toBe("Log · The shop");
});

test("values that tick or change with each event are not announced repeatedly by screen readers", async () => {
  const { project, panel } = await freshPanel();
  for (const title of ["First", "Second", "Third"]) await freshTask(project, { title });
  const head = await project.log.head();
  const { page } = await openPage(panel, `/board?at=${head - 1}`);
  const banner = page.locator(".banner");
  const told = () => page.getByRole("status").allInnerTexts();
  await banner.getByText(`Viewing the project at #${head - 1}`).waitFor();
  await page.getByText(`live · last event #${head}`).waitFor();
  await expect
    .poll(async () => (await told()).filter((text) => text !== ""))
    .toEqual(["live", "■ stopped", "This is the past."]);
  const before = await told();
  const look = await watchFrames(
    page,
    `[...document.querySelectorAll("[role=status], output")].map((one) => one.innerText).join() !== ${JSON.stringify(before.join())}`,
  );
  await page.keyboard.press("t");
  await page.keyboard.press("ArrowLeft");
  await freshTask(project, { title: "Fourth" });
  await banner.getByText(`Viewing the project at #${head - 2}`).waitFor();
  await page.getByText(`live · last event #${await project.log.head()}`).waitFor();
  expect(await told()).toEqual(before);
  expect((await look()).wrong).toBe(0);
});
