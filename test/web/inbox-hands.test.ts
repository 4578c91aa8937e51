// @module-tag chromium
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import type { Project } from "../../src/api/project.ts";
import { decide } from "../../src/decisions/decide.ts";
import { changeTask, createTask } from "../../src/index.ts";
import { freshProject } from "../support/project.ts";
import { freshPanel, openPage, routeOpened, useBrowser } from "./support/browser.ts";
import { givenEveryKind, givenQuestions } from "./support/given-inbox.ts";

useBrowser();

const NO_FAULTS = { faults: [], strangers: [] };
const rows = (page: Page) => page.getByRole("region", { name: /^Waiting for you/ }).getByRole("link");
const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { name });

async function typesOf(project: Project): Promise<string[]> {
  return (await project.log.read(0, 500)).map(({ type }) => type);
}

/** The form in which a proposal is changed. */
async function openForm(page: Page) {
  await rows(page)
    .filter({ hasText: /^Import/ })
    .click();
  await page.getByRole("button", { name: "Edit …" }).click();
  return page.getByRole("textbox", { name: "Title" });
}

test("in a proposal's form no letter decides, and Escape and j keep the draft", async () => {
  const project = await givenEveryKind();
  const { panel } = await freshPanel({ project });
  const { page, seen } = await openPage(panel, "/inbox");
  const title = await openForm(page);
  await page.locator("input:focus").waitFor();
  await page.keyboard.press("End");
  await page.keyboard.type(" xa");
  await page.getByRole("button", { name: "Save" }).focus();
  for (const key of ["x", "a"]) await page.keyboard.press(key);
  await page.keyboard.press("Escape");
  await page.locator("button:focus", { hasText: "Edit …" }).waitFor();
  for (const key of ["j", "k"]) await page.keyboard.press(key);
  await page.reload();
  await page.getByRole("button", { name: "Edit …" }).click();
  await expect.poll(() => title.inputValue()).toBe("Import from CSV xa");
  await page.keyboard.press("Enter");
  await heading(page, "Import from CSV xa").waitFor();
  await page.locator("button:focus", { hasText: "Edit …" }).waitFor();
  expect(await typesOf(project)).not.toContain("suggestion.rejected");
  expect(await typesOf(project)).not.toContain("suggestion.approved");
  expect(seen).toEqual(NO_FAULTS);
});

test("saving a proposal's form does not revert fields that others changed meanwhile", async () => {
  const project = await givenEveryKind();
  const { panel } = await freshPanel({ project });
  const { page } = await openPage(panel, "/inbox");
  const title = await openForm(page);
  await project.decide(changeTask({ task: 5, priority: "critical" }));
  await page.getByLabel("Proposed draft").getByText("critical").first().waitFor();
  await title.fill("Import orders");
  await page.getByRole("button", { name: "Save" }).click();
  await heading(page, "Import orders").waitFor();
  await expect
    .poll(() => project.queries.taskRow(5))
    .toMatchObject({ title: "Import orders", priority: "critical" });
});

test("an unfinished answer is restored after an option was chosen and undone", async () => {
  const { panel } = await freshPanel({ project: await givenQuestions("First?", "Second?") });
  const { page } = await openPage(panel, "/inbox");
  await heading(page, "First?").waitFor();
  await page.keyboard.press("a");
  await page.keyboard.type("neither, bec");
  await page.keyboard.press("Escape");
  await page.keyboard.press("1");
  await page.getByRole("button", { name: /^Undo: answered/ }).waitFor();
  await page.keyboard.press("z");
  await heading(page, "First?").waitFor();
  await expect
    .poll(() => page.getByRole("textbox", { name: "Your own answer" }).inputValue())
    .toBe("neither, bec");
});

test("z pressed twice takes back two acts", async () => {
  const project = await givenQuestions("First?", "Second?", "Third?");
  const { panel } = await freshPanel({ project });
  const { page } = await openPage(panel, "/inbox");
  for (const question of ["First?", "Second?"]) {
    await heading(page, question).waitFor();
    await page.keyboard.press("1");
  }
  await page.getByRole("button", { name: "Answered (2)" }).waitFor();
  // What is undone is not known to the page before the second key.
  await routeOpened(page, "**/api/undoable**", () => {});
  await page.keyboard.press("z");
  await page.keyboard.press("z");
  await expect
    .poll(async () => (await typesOf(project)).filter((type) => type === "question.reopened"))
    .toHaveLength(2);
});

test("of 250 items the one selected by j is visible and focused, after any scrolling", async () => {
  const { project } = await freshProject();
  const gates = [{ command: "true", max: 1, timeout_s: 30 }];
  for (let nth = 1; nth <= 250; nth++) {
    await decide(project.store, createTask({ title: `Work ${nth}`, gates }), { actor: "agent" });
  }
  const { panel } = await freshPanel({ project });
  const { page, seen } = await openPage(panel, "/inbox");
  await rows(page).first().waitFor();
  const list = page.getByRole("region", { name: /^Waiting for you/ });
  await list.evaluate((one) => one.scrollTo(0, one.scrollHeight));
  await rows(page).filter({ hasText: "Work 250" }).waitFor();
  await page.keyboard.press("j");
  await page.locator(".inbox-row:focus", { hasText: /Work 2$/ }).waitFor();
  await list.evaluate((one) => one.scrollTo(0, one.scrollHeight));
  await rows(page).filter({ hasText: "Work 250" }).click();
  await page.keyboard.press("k");
  await page.locator(".inbox-row:focus", { hasText: "Work 249" }).waitFor();
  expect(await rows(page).count()).toBeLessThan(60);
  expect(seen).toEqual(NO_FAULTS);
});

test.each([
  ["a phone", { width: 390, height: 844 }],
  ["a phone with its keyboard open", { width: 390, height: 440 }],
  ["a screen", { width: 1280, height: 800 }],
])("on %s nothing covers a question, its options or the last comments", async (_, viewport) => {
  const { panel } = await freshPanel({ project: await givenEveryKind() });
  const { page } = await openPage(panel, "/inbox", { viewport });
  await rows(page).filter({ hasText: "Semicolons" }).click();
  const question = heading(page, /^Semicolons or tabs/);
  const option = page.getByRole("button", { name: /^(1 )?semicolons/ });
  await option.waitFor();
  await option.scrollIntoViewIfNeeded();
  for (const one of viewport.height > 500 ? [question, option] : [question]) {
    await one.scrollIntoViewIfNeeded();
    expect(await isInSight(one)).toBe(true);
  }
  if (viewport.height > 500) expect(await isInSight(question)).toBe(true);
  const told = page.getByRole("region", { name: /^Latest signals/ });
  await told.evaluate((one) => one.scrollIntoView({ block: "center" }));
  expect(await isInSight(told.locator("h3"))).toBe(true);
});

/** Whether nothing else is over the middle of an element; made of text, since it runs in the page. */
const isInSight = async (one: Locator) => {
  const box = await one.boundingBox();
  if (!box) return false;
  const point = [box.x + box.width / 2, box.y + box.height / 2].join();
  return one.evaluate(
    new Function(
      "one",
      `const at = document.elementFromPoint(${point}); return at !== null && one.contains(at);`,
    ) as () => boolean,
  );
};
