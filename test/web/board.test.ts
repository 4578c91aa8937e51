// @module-tag chromium
import axe from "axe-core";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { createTask } from "../../src/operations/tasks.ts";
import {
  ask,
  attempted,
  ended,
  flag,
  gated,
  missing,
  partial,
  reported,
  set,
  started,
  suggest,
} from "../projections/board/history.ts";
import { cardOf, columnOf, task } from "./support/board.ts";
import { freshPanel, openPage, useBrowser } from "./support/browser.ts";
import { happens } from "./support/happens.ts";

useBrowser();

const quiet = { faults: [], strangers: [] };

test("ready tasks are in starting order, and others show what they wait for", async () => {
  const { project, panel } = await freshPanel();
  await happens(
    project,
    task(1, { title: "Export" }),
    task(2, { title: "Urgent", priority: "critical" }),
    task(3, { title: "Mail it", depends_on: [1], priority: "critical" }),
  );
  const { page, seen } = await openPage(panel);
  const ready = columnOf(page, "Ready");
  await ready.getByRole("heading", { name: "Ready 2 · 1 waiting" }).waitFor();
  await expect
    .poll(() => ready.getByRole("article").evaluateAll((all) => all.map((one) => one.ariaLabel)))
    .toEqual(["#2 Urgent", "#1 Export", "#3 Mail it"]);
  await cardOf(page, 2).getByRole("button", { name: "Next in line" }).waitFor();
  await cardOf(page, 3).getByRole("link", { name: "#1" }).click();
  await page.getByRole("complementary", { name: "Task 1" }).getByText("Needed by").waitFor();
  expect(seen).toEqual(quiet);
});

test("a filter is in the address, says how many of how many, and can be cleared", async () => {
  const { project, panel, origin } = await freshPanel();
  await happens(
    project,
    task(1, { title: "Export CSV" }),
    task(2, { title: "Print" }),
    task(3, { title: "csv as mail" }),
  );
  const { page, seen } = await openPage(panel, "/board");
  await page.getByRole("searchbox", { name: "Title or number" }).fill("csv");
  await page.getByRole("heading", { name: "Ready 2 of 3" }).waitFor();
  await expect.poll(() => page.url()).toBe(`${origin}/board?text=csv`);
  await page.reload();
  await page.getByRole("heading", { name: "Ready 2 of 3" }).waitFor();
  await page.getByRole("searchbox").fill("#2");
  await page.getByRole("heading", { name: "Ready 1 of 3" }).waitFor();
  await page.goto(`${origin}/board?text=nothing`);
  await page.getByText("No tasks match text “nothing”.").waitFor();
  await expect
    .poll(() => page.getByRole("button", { name: "Clear filters" }).evaluate((one) => one.matches(":focus")))
    .toBe(true);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Ready 3" }).waitFor();
  expect(seen).toEqual(quiet);
});

test("a status says on hover and on focus why it is so, until Esc", async () => {
  const { project, panel, origin } = await freshPanel();
  await happens(project, task(1), started(), ask(), partial(), ended());
  const { page, seen } = await openPage(panel, "/board");
  const status = cardOf(page, 1).getByRole("button", { name: "Needs input why?" });
  // Its column says the status, so that the card shows only "why?".
  const shown = status.locator(":not(.hidden-but-read)");
  await expect.poll(() => shown.allInnerTexts()).toEqual(["why?"]);
  await status.hover();
  const why = page.getByRole("dialog", { name: "Why task 1 has its status" });
  await why.getByText("A question is open").waitFor();
  await why.getByText("(rules.md, Settlement, when a session ends: 7b)").waitFor();
  // The pointer can go into it, and it stays.
  await why.getByText("Question 5 is answered or dismissed.").hover();
  await page.keyboard.press("Escape");
  await why.waitFor({ state: "detached" });
  await page.mouse.move(0, 0);
  await status.focus();
  await why.getByText("Ask (blocking): Which encoding?").waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.waitForURL(`${origin}/log?event=5`);
  expect(seen).toEqual(quiet);
});

test("a proposal is approved, undone, edited and rejected on its card", async () => {
  const { project, panel } = await freshPanel();
  await happens(project, task(1), started(), suggest("Add an index"), suggest("Split it"), ended());
  const { page, seen } = await openPage(panel, "/board");
  const first = cardOf(page, 2);
  await first.getByRole("img", { name: "proposed by an agent" }).waitFor();
  await first.getByText("from #1").waitFor();
  await first.getByRole("link", { name: "Add an index" }).focus();
  await page.keyboard.press("a");
  await columnOf(page, "Ready").getByRole("article", { name: "#2" }).waitFor();
  await page.getByRole("button", { name: "Undo (z)" }).click();
  await columnOf(page, "Draft").getByRole("article", { name: "#2" }).waitFor();
  await cardOf(page, 3).getByRole("button", { name: "Edit #3" }).click();
  const form = page.getByRole("dialog", { name: "Edit #3" });
  await form.getByLabel("Title").fill("Split the table");
  await form.getByLabel("Priority").selectOption("high");
  await page.getByRole("button", { name: "Save" }).click();
  await columnOf(page, "Draft").getByRole("article", { name: "#3 Split the table" }).waitFor();
  await cardOf(page, 3).getByRole("button", { name: "Reject #3" }).click();
  await page.getByText("#3 rejected.").waitFor();
  await expect
    .poll(() => project.queries.taskRow(3))
    .toMatchObject({
      status: "skipped",
      title: "Split the table",
      priority: "high",
      description: "Needed.",
    });
  expect(seen).toEqual(quiet);
});

test("a status is set from a menu, which says why it cannot be while a session is open", async () => {
  const { project, panel } = await freshPanel();
  await happens(project, task(1), task(2), started(), reported("testing"));
  const { page, seen } = await openPage(panel, "/board");
  await cardOf(page, 1).getByText("testing").waitFor();
  const head = await project.log.head();
  await cardOf(page, 1).getByRole("button", { name: "Set status of #1" }).click();
  await page.getByText("Session s-1 of #1 is still running. Its outcome sets the status.").waitFor();
  const failed = page.getByRole("menuitem", { name: "Failed" });
  await expect.poll(() => failed.getAttribute("aria-disabled")).toBe("true");
  await failed.click({ force: true });
  await page.keyboard.press("Escape");
  expect(await project.log.head()).toBe(head);
  await cardOf(page, 2).getByRole("link").focus();
  await page.keyboard.press("s");
  await page.getByRole("menuitem", { name: "Blocked" }).click();
  await columnOf(page, "Blocked").getByRole("article", { name: "#2" }).waitFor();
  expect(seen).toEqual(quiet);
});

test("badges name in words what needs a human's attention", async () => {
  const { project, panel } = await freshPanel();
  await happens(
    project,
    task(1, gated({ max: 1 })),
    started(),
    flag(),
    missing("A GPU"),
    attempted(1),
    ended(),
  );
  const { page, seen } = await openPage(panel, "/board");
  for (const text of ["gate 1 escalated", "1 blocking flag", "stuck 1/3"]) {
    await cardOf(page, 1).getByText(text).waitFor();
  }
  expect(seen).toEqual(quiet);
});

test("a card that moves keeps its place until the pointer has left it", async () => {
  const { project, panel } = await freshPanel();
  await happens(project, task(1), task(2));
  const { page, seen } = await openPage(panel, "/board", { reducedMotion: "no-preference" });
  const ready = columnOf(page, "Ready");
  await ready.getByRole("article", { name: "#1" }).hover();
  await happens(project, set(1, "done"));
  await ready.getByRole("article", { name: "#1" }).getByRole("button", { name: "Done why?" }).waitFor();
  await expect.poll(() => page.evaluate(ANIMATION)).toMatch(/^card-changed/);
  await page.mouse.move(0, 0);
  await ready.getByRole("article", { name: "#1" }).waitFor({ state: "detached" });
  expect(seen).toEqual(quiet);
});

test("with reduced motion nothing flashes", async () => {
  const { project, panel } = await freshPanel();
  await happens(project, task(1));
  const { page } = await openPage(panel, "/board");
  await cardOf(page, 1).waitFor();
  await happens(project, flag({}), set(1, "blocked"));
  await page.locator('[data-task="1"][data-changes]').waitFor();
  await expect.poll(() => page.evaluate(ANIMATION)).toBe("none");
});

test("of 10,000 tasks few are on the page, and the last one can be reached", async () => {
  const { project, panel } = await freshPanel();
  const ids = Array.from({ length: 10_000 }, (_, nth) => nth + 1);
  await happens(
    project,
    ...ids.map((id) => task(id, { title: `Work ${id}`, status: id % 2 ? "pending" : "blocked" })),
  );
  const { page, seen } = await openPage(panel, "/board");
  await page.getByRole("heading", { name: "Ready 5,000" }).waitFor();
  expect(await page.locator(".card").count()).toBeLessThan(400);
  const list = page.getByRole("region", { name: "Ready: tasks" });
  await expect
    .poll(async () => {
      await list.evaluate((one) => one.scrollTo(0, one.scrollHeight));
      return cardOf(page, 9_999).count();
    })
    .toBe(1);
  expect(await page.locator(".card").count()).toBeLessThan(400);
  expect(seen).toEqual(quiet);
});

test("a task's graph is drawn with links, has a text version, and loads on demand", async () => {
  const { project, panel, origin } = await freshPanel();
  await happens(
    project,
    task(1, { title: "Lay rails" }),
    task(2, { depends_on: [1] }),
    task(3, { depends_on: [2] }),
  );
  const { page, seen } = await openPage(panel, "/board?task=2");
  await page.getByRole("complementary", { name: "Task 2" }).getByText("Depends on").waitFor();
  const loaded: string[] = [];
  page.on("request", (request) => loaded.push(request.url()));
  await page.getByRole("navigation", { name: "Show as" }).getByRole("link", { name: "Graph" }).click();
  await page.getByRole("link", { name: "#1 Lay rails Ready" }).waitFor();
  await expect.poll(() => loaded.some((url) => url.includes("/assets/others"))).toBe(true);
  const nodes = page.locator(".graph-node");
  await expect
    .poll(() => nodes.evaluateAll((all) => all.map((one) => one.textContent?.slice(0, 2))))
    .toEqual(["#1", "#2", "#3"]);
  await page.getByRole("region", { name: "The graph as a list" }).getByRole("link", { name: "#3" }).waitFor();
  await nodes.first().focus();
  await page.keyboard.press("Enter");
  await page.waitForURL(`${origin}/board?task=1&show=graph`);
  expect(seen).toEqual(quiet);
});

test("the board shows the address's position, read-only", async () => {
  const { project, panel } = await freshPanel();
  await happens(project, task(1), set(1, "done"));
  const { page, seen } = await openPage(panel, "/board?at=3&task=7");
  await page.getByRole("heading", { name: "Ready 1" }).waitFor();
  await page.getByText("Task #7 does not exist here.").waitFor();
  await cardOf(page, 1).getByRole("button", { name: "Set status of #1" }).click();
  await page.getByText("You are viewing the past, which cannot be changed.").waitFor();
  expect(seen).toEqual(quiet);
});

test("an empty project says how to begin, and the board follows when somebody does", async () => {
  const { project, panel } = await freshPanel();
  const { page, seen } = await openPage(panel);
  await page.getByRole("heading", { name: "No tasks yet" }).waitFor();
  await project.decide(createTask({ title: "Lay the points" }));
  await columnOf(page, "Ready").getByText("Lay the points").waitFor();
  expect(seen).toEqual(quiet);
});

test("a phone shows one column at a time, and a task as a separate page", async () => {
  const { project, panel } = await freshPanel();
  await happens(project, task(1), task(2, { status: "blocked" }));
  const { page, seen } = await openPage(panel, "/board", { viewport: { width: 390, height: 844 } });
  await cardOf(page, 1).waitFor();
  await expect.poll(() => page.locator(".board-column").count()).toBe(1);
  await page.getByRole("combobox", { name: "Column" }).selectOption({ label: "Blocked 1" });
  await cardOf(page, 2).getByRole("link").click();
  await page.getByRole("complementary", { name: "Task 2" }).waitFor();
  await expect.poll(() => page.locator(".board-column").isVisible()).toBe(false);
  await page.getByRole("link", { name: "‹ Board" }).click();
  await cardOf(page, 2).waitFor();
  await expect.poll(() => page.evaluate("document.documentElement.scrollWidth")).toBe(390);
  expect(seen).toEqual(quiet);
});

test("on a phone the graph is a list, to go through from task to task", async () => {
  const { project, panel, origin } = await freshPanel();
  await happens(project, task(1, { title: "Lay rails" }), task(2, { depends_on: [1] }));
  const { page, seen } = await openPage(panel, "/board?task=2", { viewport: { width: 390, height: 844 } });
  await page.getByRole("complementary").getByRole("link", { name: "Graph" }).click();
  const list = page.getByRole("region", { name: "The graph as a list" });
  await list.getByRole("listitem").filter({ hasText: "#1 Lay rails ready" }).first().waitFor();
  await expect.poll(() => page.locator(".graph-drawing").count()).toBe(0);
  await list.getByRole("link", { name: "#1 Lay rails" }).click();
  await list.getByRole("listitem").filter({ hasText: "waiting" }).first().waitFor();
  await list.getByRole("link", { name: "Details of #1" }).click();
  await page.waitForURL(`${origin}/board?task=1`);
  await page.getByRole("complementary", { name: "Task 1" }).waitFor();
  expect(seen).toEqual(quiet);
});

test("the graph's titles stay in their boxes, and an unknown address is reported", async () => {
  const { project, panel, origin } = await freshPanel();
  const title = "WWWWWWWWWWWWWWWWWWWWWWWW";
  await happens(
    project,
    task(1, { title }),
    task(2, { title, depends_on: [1] }),
    task(3, { title, depends_on: [2] }),
  );
  const { page } = await openPage(panel, "/board?task=2&show=graph");
  await page.locator(".graph-node").first().waitFor();
  await expect.poll(() => page.getByLabel("Title or number").count()).toBe(0);
  const [drawing, box] = await page
    .locator(".graph-drawing, .graph")
    .evaluateAll((all) => all.map((one) => one.clientWidth).sort((a, b) => a - b));
  expect(drawing).toBeLessThanOrEqual((box ?? 0) - 32);
  await page.goto(`${origin}/board?priority=bogus`);
  await page.getByText("There is no priority “bogus”. Use one of: critical, high, medium, low.").waitFor();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await cardOf(page, 1).waitFor();
});

test("axe finds nothing on the board, its panel, its graph and its menus", async () => {
  const { project, panel, origin } = await freshPanel();
  await happens(
    project,
    task(1),
    started(),
    ask(),
    suggest("Add an index"),
    ended(),
    task(3, { depends_on: [1] }),
  );
  const { page } = await openPage(panel, "/board?task=1");
  await page.getByRole("complementary", { name: "Task 1" }).getByText("Needed by").waitFor();
  await cardOf(page, 1).getByRole("button", { name: "Set status" }).click();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await cardOf(page, 1).getByRole("button", { name: "why?" }).focus();
  await page.getByRole("dialog").getByText("rules.md").first().waitFor();
  expect(await violations(page)).toEqual([]);
  await page.goto(`${origin}/board?task=1&show=graph`);
  await page.locator(".graph-node").first().waitFor();
  expect(await violations(page)).toEqual([]);
});

async function violations(page: Page): Promise<[rule: string, html: string][]> {
  // The page's policy lets no script in but its own; the debugger's evaluation is not bound by it.
  await page.evaluate(axe.source);
  return page.evaluate(
    "axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => [id, html])))",
  );
}

/** Runs in the page, of whose types tests know nothing. */
const ANIMATION = `getComputedStyle(document.querySelector('[data-task="1"]')).animationName`;
