// @module-tag chromium
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import type { Project } from "../../src/api/project.ts";
import { answerQuestion } from "../../src/index.ts";
import { ask as askServer, cookieOf } from "./support/ask.ts";
import { freshPanel, openPage, useBrowser } from "./support/browser.ts";
import { ask, givenEveryKind, givenQuestions, partial, session } from "./support/given-inbox.ts";

useBrowser();

const NO_FAULTS = { faults: [], strangers: [] };
const pane = (page: Page, task: number) => page.getByRole("complementary", { name: `Task ${task}` });
const head = (page: Page) => page.getByRole("region", { name: /needs you$/ });
const asked = (page: Page) => page.getByRole("article", { name: /^Ask/ });

/** What was answered, in log order. */
async function answersIn(project: Project): Promise<unknown[]> {
  const events = await project.log.read(0, 500);
  return events.flatMap(({ type, payload }) =>
    type === "question.answered" && "answer" in payload ? [payload.answer] : [],
  );
}

async function openItems(project: Project): Promise<string[]> {
  return (await project.queries.inbox()).map(({ kind, task }) => `${kind} of ${task}`);
}

test("in the task pane a question is answered by key, undone by key, and answered by mouse", async () => {
  const project = await givenQuestions("First?");
  const { panel } = await freshPanel({ project });
  const { page, seen } = await openPage(panel, "/board?task=1");
  await pane(page, 1).getByRole("heading", { name: "First?", exact: true }).waitFor();
  await page.keyboard.press("1");
  await pane(page, 1).getByRole("heading", { name: "First?", exact: true }).waitFor({ state: "detached" });
  await expect.poll(() => answersIn(project)).toEqual(["semicolons"]);
  await pane(page, 1)
    .getByRole("button", { name: /^Undo: answered/ })
    .waitFor();
  await page.keyboard.press("z");
  await pane(page, 1).getByRole("button", { name: "2 tabs" }).click();
  await expect.poll(() => answersIn(project)).toEqual(["semicolons", "tabs"]);
  await expect.poll(() => openItems(project)).toEqual([]);
  expect(seen).toEqual(NO_FAULTS);
});

test("in the task pane no key acts on another item when the shown one is answered elsewhere", async () => {
  const project = await givenQuestions("First?");
  await session(project, "s-other", 1, ask("Second?", "now", "later"), partial);
  const { panel } = await freshPanel({ project });
  const { page, seen } = await openPage(panel, "/board?task=1");
  const shown = await pane(page, 1).locator("article h2").innerText();
  const other = shown === "First?" ? "Second?" : "First?";
  await pane(page, 1).getByRole("textbox", { name: "Your own answer" }).pressSequentially("Neither");
  const item = (await project.queries.inbox()).find(({ text }) => text === shown);
  await project.decide(answerQuestion({ id: item?.id ?? 0, answer: "elsewhere" }));
  await pane(page, 1).getByRole("heading", { name: "This question no longer needs you" }).waitFor();
  await page.keyboard.press("1");
  await pane(page, 1).getByRole("link", { name: other }).click();
  await pane(page, 1).getByRole("heading", { name: other, exact: true }).waitFor();
  expect(await answersIn(project)).toEqual(["elsewhere"]);
  await page.keyboard.press("1");
  await expect.poll(async () => (await answersIn(project)).length).toBe(2);
  expect(seen).toEqual(NO_FAULTS);
});

test("in the timeline a question is answered on its card, by key and by mouse", async () => {
  const project = await givenQuestions("First?", "Second?");
  const { panel } = await freshPanel({ project });
  const { page, seen } = await openPage(panel, "/tasks/1");
  await asked(page).getByRole("button", { name: "2 tabs" }).waitFor();
  await page.keyboard.press("2");
  await expect.poll(() => answersIn(project)).toEqual(["tabs"]);
  await asked(page)
    .getByRole("heading", { name: /^Answered by/ })
    .waitFor();
  await asked(page).getByRole("button", { name: "2 tabs" }).waitFor({ state: "detached" });
  await page.goto(new URL("/tasks/2", panel.address).href);
  await asked(page).getByRole("textbox", { name: "Your own answer" }).fill("Neither.");
  await asked(page)
    .getByRole("button", { name: /^Answer/ })
    .click();
  await expect.poll(() => answersIn(project)).toEqual(["tabs", "Neither."]);
  await expect.poll(() => openItems(project)).toEqual([]);
  expect(seen).toEqual(NO_FAULTS);
});

test("of several questions in a timeline a key answers that whose card has the focus", async () => {
  const project = await givenQuestions("First?");
  await session(project, "s-9", 1, ask("Second?", "north", "south"), partial);
  const { panel } = await freshPanel({ project });
  const { page } = await openPage(panel, "/tasks/1");
  await asked(page).filter({ hasText: "Second?" }).getByRole("button", { name: "2 north" }).waitFor();
  await page.keyboard.press("1");
  await asked(page).filter({ hasText: "Second?" }).focus();
  await page.keyboard.press("2");
  await expect.poll(() => answersIn(project)).toEqual(["north"]);
});

test("an item of each kind has in the task pane the actions that it has in the inbox", async () => {
  const project = await givenEveryKind();
  const { panel } = await freshPanel({ project });
  const { page, seen } = await openPage(panel, "/inbox");
  const items = await project.queries.inbox();
  expect(new Set(items.map(({ kind }) => kind)).size).toBeGreaterThan(7);
  const actions = (key: string) =>
    page.locator(`article:has(#item-${key}) button:is([aria-keyshortcuts], .choice, form *)`).allInnerTexts();
  for (const { kind, id, task, other_task } of items) {
    const key = `${kind}-${id}`;
    const of = kind === "proposal" ? (other_task ?? task) : task;
    await page.goto(new URL(`/inbox?item=${key}`, panel.address).href);
    await page.locator(`#item-${key}`).waitFor();
    const inInbox = await actions(key);
    await page.goto(new URL(`/board?task=${of}&item=${key}`, panel.address).href);
    await page.locator(`#item-${key}:focus`).waitFor();
    expect(await actions(key)).toEqual(inInbox);
  }
  expect(seen).toEqual(NO_FAULTS);
});

test("in a timeline an item of each kind is on the card of its event, to which a line on top leads", async () => {
  const project = await givenEveryKind();
  const { panel } = await freshPanel({ project });
  const { page, seen } = await openPage(panel, "/inbox");
  for (const { id, task } of await project.queries.inbox()) {
    await page.goto(new URL(`/tasks/${task}`, panel.address).href);
    await head(page).locator(`a[href$="#e${id}"]`).first().click();
    const card = page.locator(`article#e${id}`);
    await expect.poll(() => card.evaluate((element) => element.matches(":focus"))).toBe(true);
    await card.locator("article.inbox-item").first().waitFor();
  }
  expect(seen).toEqual(NO_FAULTS);
});

test("in a timeline a key decides on the escalated gate whose card has the focus", async () => {
  const project = await givenEveryKind();
  const { panel } = await freshPanel({ project });
  const { page } = await openPage(panel, "/tasks/2");
  await head(page)
    .getByRole("link", { name: /escalated gate/ })
    .click();
  const card = page.getByRole("article", { name: /^Gate run/ });
  await card.getByRole("heading", { name: "Gate 1 of task 2 is escalated" }).waitFor();
  await page.keyboard.press("t");
  await expect.poll(() => openItems(project)).not.toContain("gate of 2");
});

test("a card's badge leads to its item", async () => {
  const project = await givenEveryKind();
  const { panel } = await freshPanel({ project });
  const { page } = await openPage(panel, "/board");
  await page.getByRole("article", { name: "#1 " }).getByRole("link", { name: "1 question" }).click();
  await pane(page, 1)
    .locator("h2:focus", { hasText: /^Semicolons or tabs/ })
    .waitFor();
  await page.getByRole("article", { name: "#1 " }).getByRole("link", { name: "1 blocking flag" }).click();
  await pane(page, 1).locator("h2:focus", { hasText: "Prices are floats" }).waitFor();
});

test("the server lists the items of one task, and the proposals of its sessions", async () => {
  const { panel } = await freshPanel({ project: await givenEveryKind() });
  const headers = { cookie: await cookieOf(panel) };
  const { body } = await askServer(panel, "/api/inbox?row=0&limit=50&task=1", { headers });
  const { total, lines } = JSON.parse(body).answer;
  expect(total).toBe(4);
  expect(lines.map(({ kind }: { kind: string }) => kind)).toEqual([
    "question",
    "blocker",
    "proposal",
    "flag",
  ]);
});
