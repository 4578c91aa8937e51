// @module-tag chromium
import { expect, onTestFinished, test } from "vitest";
import { setTaskStatus } from "../../src/operations/task-status.ts";
import { changeTask } from "../../src/operations/tasks.ts";
import { barriersOn } from "./support/axe.ts";
import { freshPanel, openPage, useBrowser } from "./support/browser.ts";
import { projectWith, task } from "./support/work.ts";

useBrowser();

const CLEAN = { faults: [], strangers: [] };
const TASKS = 450;

/** A log in which as many tasks were added, one event each. */
async function panelOfTasks() {
  const { project } = await projectWith([[10, task(1, "Task 1 of many")]]);
  onTestFinished(() => project.close());
  await project.log.append(
    Array.from({ length: TASKS - 1 }, (_, nth) => task(nth + 2, `Task ${nth + 2} of many`)),
  );
  const first = (await project.log.head()) - TASKS;
  return { ...(await freshPanel({ project })), first, head: first + TASKS };
}

const rows = "tbody tr";

test("more lines than fit on a page have pages, and another A starts at the first", async () => {
  const { panel, first, head } = await panelOfTasks();
  const { page, seen } = await openPage(panel, `/compare?at=${first}&to=${head}`);
  await page.getByText(`1 to 200 of ${TASKS}`).waitFor();
  await page.getByRole("button", { name: "Next page" }).click();
  await page.getByText(`201 to 400 of ${TASKS}`).waitFor();
  await page.reload();
  await page.getByText(`201 to 400 of ${TASKS}`).waitFor();
  await expect.poll(() => page.locator(rows).count()).toBe(200);
  await page.getByLabel("A", { exact: true }).fill(String(head - 3));
  await page.getByRole("button", { name: "Compare", exact: true }).click();
  await expect.poll(() => page.locator(rows).count()).toBe(3);
  await expect.poll(() => page.url()).not.toContain("after=");
  await page.goBack();
  await page.getByText(`201 to 400 of ${TASKS}`).waitFor();
  // By the bar of time, too.
  await page.getByLabel("Position", { exact: true }).fill(String(head - 4));
  await page.keyboard.press("Enter");
  await expect.poll(() => page.locator(rows).count()).toBe(4);
  await expect.poll(() => page.url()).not.toContain("after=");
  expect(seen).toEqual(CLEAN);
});

test("a page that a shorter comparison does not have is its last one", async () => {
  const { panel, first, head } = await panelOfTasks();
  const { page, seen } = await openPage(panel, `/compare?at=${first}&to=${head}&after=9000`);
  await page.getByText(`401 to ${TASKS} of ${TASKS}`).waitFor();
  await expect.poll(() => page.getByRole("button", { name: "Next page" }).isDisabled()).toBe(true);
  expect(seen).toEqual(CLEAN);
});

test("positions can be entered as printed, and an invalid one is reported at its field", async () => {
  const { panel, first, head } = await panelOfTasks();
  const { page, seen } = await openPage(panel, `/compare?at=${first}&to=${head}`);
  const [a, b] = [page.getByLabel("A", { exact: true }), page.getByLabel("B", { exact: true })];
  const compare = page.getByRole("button", { name: "Compare", exact: true });
  const saidAt = (field: typeof a) =>
    field.evaluate((input) => (input as { validationMessage?: string }).validationMessage);
  await a.fill(`#${first + 7}`);
  await b.fill("4,00");
  await compare.click();
  await page.getByRole("heading", { name: `#${first + 7}` }).waitFor();
  await expect.poll(() => new URL(page.url()).searchParams.get("to")).toBe("400");
  await b.fill("abc");
  await compare.click();
  expect(await saidAt(b)).toBe('"abc" is not a position. Enter a number, such as 48,211.');
  const box = page.getByLabel("Position", { exact: true });
  await box.fill("abc");
  await page.keyboard.press("Enter");
  await expect.poll(() => saidAt(box)).toContain('"abc" is not a position');
  expect(seen).toEqual(CLEAN);
});

test("a B beyond the end is the last position, with a sentence", async () => {
  const { panel, first, head } = await panelOfTasks();
  const { page, seen } = await openPage(panel, `/compare?at=${first}&to=48211`);
  await page.getByText(`#48,211 does not exist yet. B is the last event, #${head}.`).waitFor();
  await page.goto(`http://127.0.0.1:${panel.port}/compare?at=${first}&to=abc`);
  await page.getByText(`“abc” is not a position. B is the last event, #${head}.`).waitFor();
  expect(seen).toEqual(CLEAN);
});

test("A is the position of the page, also where B is the earlier one", async () => {
  const { panel, project, head } = await panelOfTasks();
  await project.decide(setTaskStatus({ task: 1, status: "skipped" }));
  const { page, seen } = await openPage(panel, `/compare?at=${head + 1}&to=${head}`);
  await page.getByRole("heading", { name: `#${head + 1} ` }).waitFor();
  await page.getByText(`Viewing the project at #${head + 1}`).waitFor();
  const cells = await page.locator(rows).getByRole("cell").allInnerTexts();
  expect(cells).toEqual(["Skipped", "Pending", `#${head + 1}`]);
  await expect
    .poll(() => page.getByRole("columnheader").allInnerTexts())
    .toEqual(["Changed", `A #${head + 1}`, `B #${head}`, "Events between"]);
  expect(seen).toEqual(CLEAN);
});

test("multi-line texts are aligned line by line, and on a phone each names its side", async () => {
  const { panel, project, head } = await panelOfTasks();
  await project.decide(changeTask({ task: 1, description: "First line\nSecond line" }));
  const { page, seen } = await openPage(panel, `/compare?at=${head}&to=${head + 1}`, {
    viewport: { width: 390, height: 800 },
  });
  const cells = page.locator(rows).filter({ hasText: "description" }).locator("td");
  await cells.nth(1).waitFor();
  await expect.poll(() => cells.nth(1).innerText()).toBe("First line\nSecond line");
  const heads = await page.evaluate(
    `[...document.querySelectorAll("tbody td")].slice(0, 2).map((cell) => getComputedStyle(cell, "::before").content)`,
  );
  expect(heads).toEqual([`"A #${head}: "`, `"B #${head + 1}: "`]);
  await expect.poll(() => page.evaluate("document.documentElement.scrollWidth")).toBe(390);
  expect(await barriersOn(page)).toEqual([]);
  expect(seen).toEqual(CLEAN);
});
