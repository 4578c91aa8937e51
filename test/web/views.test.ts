// @module-tag chromium
import { expect, test } from "vitest";
import { createTask } from "../../src/operations/tasks.ts";
import { freshTask, say, start } from "./support/agent.ts";
import { freshPanel, openPage, useBrowser } from "./support/browser.ts";

useBrowser();

const CLEAN = { faults: [], strangers: [] };

/** A task on which a session has learned something and runs on. */
async function learningTask() {
  const { project, panel } = await freshPanel();
  const task = await freshTask(project, {
    title: "Export orders as CSV",
    description: "Mind the **time zone**, see https://example.test/zones.",
  });
  await start(project, task, "s-1");
  const learned = await say(project, { task, session: "s-1" }, "learned", {
    text: "Amounts are cents.",
    kind: "convention",
  });
  return { project, panel, task, learned };
}

test("from a learning one gets to its card, from there to its session and back to its task", async () => {
  const { panel, learned } = await learningTask();
  const { page, seen } = await openPage(panel, `/learnings?learning=${learned}`);
  await page.getByRole("link", { name: `task #1, #${learned}` }).click();
  const card = page.getByRole("article", { name: `Learned, #${learned}` });
  await expect.poll(() => card.evaluate((element) => element.matches(":focus"))).toBe(true);
  await card.getByRole("link", { name: "s-1" }).click();
  const session = page.getByRole("complementary", { name: "Session s-1" });
  await session.getByText("Amounts are cents.").waitFor();
  await session.getByRole("link", { name: "#1 Export orders as CSV" }).click();
  await page.getByRole("heading", { level: 1, name: "#1 Export orders as CSV" }).waitFor();
  await page.getByRole("link", { name: "Show on the board" }).click();
  await page
    .getByRole("complementary", { name: "Task 1" })
    .getByRole("link", { name: "Session s-1" })
    .click();
  await session.waitFor();
  expect(seen).toEqual(CLEAN);
});

test("Escape closes the selected item in any view, and its row has the focus again", async () => {
  const { panel, learned } = await learningTask();
  const { page, seen } = await openPage(panel, "/board?task=1");
  for (const [path, name] of [
    ["/board?task=1", "Task 1"],
    ["/sessions?session=s-1", "Session s-1"],
    [`/learnings?learning=${learned}`, "Learning"],
    ["/log?event=2", "Event"],
  ] as const) {
    await page.goto(`http://127.0.0.1:${panel.port}${path}`);
    const pane = page.getByRole("complementary", { name, exact: true });
    await pane.getByRole("link", { name: "Close" }).waitFor();
    await page.locator('.windowed [aria-current="true"]').waitFor();
    await page.keyboard.press("Escape");
    await pane.waitFor({ state: "detached" });
    await page.locator(".windowed li :focus").waitFor();
  }
  expect(seen).toEqual(CLEAN);
});

test("a description is read as markdown, and its links say where they lead", async () => {
  const { panel } = await learningTask();
  const { page, seen } = await openPage(panel, "/board?task=1");
  const pane = page.getByRole("complementary", { name: "Task 1" });
  await pane.getByRole("strong").getByText("time zone").waitFor();
  await expect
    .poll(() => pane.getByRole("link", { name: "https://example.test/zones" }).getAttribute("rel"))
    .toBe("noreferrer noopener nofollow");
  expect(seen).toEqual(CLEAN);
});

test("a timeline says why its task's status is so, and lets it be set", async () => {
  const { project, panel } = await freshPanel();
  await project.decide(createTask({ title: "Export orders as CSV" }));
  const { page, seen } = await openPage(panel, "/tasks/1");
  await page.getByRole("button", { name: /^Ready/ }).focus();
  await page
    .getByRole("dialog", { name: "Why task 1 has its status" })
    .getByText(/rules\.md/)
    .waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Set status of #1" }).click();
  await page.getByRole("menuitem", { name: /^Skipped/ }).click();
  await page.getByRole("button", { name: /^Skipped/ }).waitFor();
  await expect.poll(() => project.queries.tasks()).toMatchObject([{ id: 1, status: "skipped" }]);
  expect(seen).toEqual(CLEAN);
});

test("an empty project says in each view how to begin", async () => {
  const { panel, origin } = await freshPanel();
  const { page, seen } = await openPage(panel);
  for (const view of ["board", "inbox", "sessions", "learnings", "charts"]) {
    await page.goto(`${origin}/${view}`);
    await page.getByRole("button", { name: /^Copy: signalbox task add/ }).waitFor();
  }
  expect(seen).toEqual(CLEAN);
});
