// @module-tag chromium
import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { Project } from "../../src/api/project.ts";
import { addComment } from "../../src/operations/comments.ts";
import { changeTask, createTask } from "../../src/operations/tasks.ts";
import { freshTask, say, start } from "./support/agent.ts";
import { freshPanel, openPage, useBrowser } from "./support/browser.ts";
import { watchFrames } from "./support/frames.ts";
import { learnedOf } from "./support/happens.ts";

useBrowser();

async function twoTasks(project: Project) {
  const task = await freshTask(project, { title: "Lay the points" });
  await start(project, task, "s-1");
  const learned = await say(project, { task, session: "s-1" }, "learned", {
    text: `Long. ${"x".repeat(3_000)} The end.`,
    kind: "discovery",
  });
  await freshTask(project, { title: "Set the signals" });
  return { task, learned };
}

test("an event opens beside the list: folded, long texts cut, its neighbours by key, the same by its link", async () => {
  const { project, panel } = await freshPanel();
  const { learned } = await twoTasks(project);
  const { page, seen } = await openPage(panel, "/log");
  await page.getByRole("link", { name: new RegExp(`#${learned}`) }).click();
  const event = page.getByRole("complementary", { name: "Event" });
  await event.getByText("signal.learned").waitFor();
  expect(await event.getByText("discovery").count()).toBe(0);
  await event.locator("summary").click();
  await event.getByText("discovery").waitFor();
  expect(await event.getByText("The end.").count()).toBe(0);
  await event.getByRole("button", { name: /^Show all 3,0\d\d characters/ }).click();
  await event.getByText("The end.").waitFor();
  await page.keyboard.press("ArrowRight");
  await event.getByText("task.created").waitFor();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await event.getByText("session.started").waitFor();
  await page.reload();
  await event.getByText("session.started").waitFor();
  await expect.poll(() => new URL(page.url()).searchParams.get("event")).toBe(String(learned - 1));
  await page.keyboard.press("Escape");
  await expect.poll(() => event.count()).toBe(0);
  expect(seen).toEqual({ faults: [], strangers: [] });
});

test("the server searches events by type, task, session, actor and text, and the address keeps the search", async () => {
  const { project, panel, origin } = await freshPanel();
  const { task } = await twoTasks(project);
  await project.decide(addComment({ task, author: "Ada", body: "Mind the gap." }));
  const { page, seen } = await openPage(panel, "/log");
  const rows = page.getByRole("region", { name: "Events" }).getByRole("listitem");
  await page.getByRole("combobox", { name: "Type" }).selectOption("signal.learned");
  await page.getByText("1 found").waitFor();
  await page.reload();
  await page.getByText("1 found").waitFor();
  await expect.poll(() => rows.count()).toBe(1);
  await page.getByRole("button", { name: "Clear", exact: true }).click();
  await page.getByRole("searchbox", { name: "Task" }).fill(String(task));
  await page.getByText("4 found").waitFor();
  await page.getByRole("searchbox", { name: "Actor" }).fill("agent");
  await page.getByText("1 found").waitFor();
  await page.goto(`${origin}/log?session=s-1`);
  await page.getByText("2 found").waitFor();
  await page.goto(`${origin}/log?text=MIND THE`);
  await page.getByText("1 found").waitFor();
  await project.decide(addComment({ task, author: "Ada", body: "Do mind the gap." }));
  await page.getByText("2 found").or(page.getByText("Do mind the gap.")).first().waitFor();
  expect(seen).toEqual({ faults: [], strangers: [] });
});

test("while scrolled down the list keeps its place, announces new events, and a button leads to them", async () => {
  const { project, panel } = await freshPanel();
  for (let nth = 0; nth < 60; nth++) await project.decide(createTask({ title: `Sleeper ${nth}` }));
  const { page, seen } = await openPage(panel, "/log");
  await page.locator(".log-row", { hasText: "Sleeper 59" }).waitFor();
  const list = page.getByRole("region", { name: "Events" });
  await list.hover();
  await page.mouse.wheel(0, 900);
  const row = page.locator(".log-row", { hasText: /Sleeper 25/ });
  await row.waitFor();
  await expect.poll(() => page.locator("main").getByText("Sleeper 59").count()).toBe(0);
  const before = await row.boundingBox();
  await project.decide(createTask({ title: "New sleeper" }));
  await page.getByRole("button", { name: "↑ 1 new" }).waitFor();
  expect(await row.boundingBox()).toEqual(before);
  await page.getByRole("button", { name: "↑ 1 new" }).click();
  await page.locator(".log-row", { hasText: "New sleeper" }).waitFor();
  expect(seen).toEqual({ faults: [], strangers: [] });
});

test("a position beyond the end is reported, with the last one", async () => {
  const { project, panel } = await freshPanel();
  await twoTasks(project);
  const { page, seen } = await openPage(panel, "/log?event=4711");
  await page.getByText("Event #4,711 does not exist here. The last one is").waitFor();
  const event = page.getByRole("complementary", { name: "Event" });
  await event.getByRole("link", { name: /^#/ }).click();
  await event.getByText("task.created").waitFor();
  expect(seen).toEqual({ faults: [], strangers: [] });
});

const BLANK_ROW = `(() => {
  const rows = [...document.querySelectorAll(".log-row")];
  return rows.length === 0 || rows.some((row) => !row.querySelector(".mono").textContent);
})()`;

test("at the top of the list no row is ever blank while events come", async () => {
  const { project, panel } = await freshPanel();
  for (let nth = 0; nth < 60; nth++) await project.decide(createTask({ title: `Sleeper ${nth}` }));
  const { page, seen } = await openPage(panel, "/log");
  await page.locator(".log-row", { hasText: /Sleeper 59/ }).waitFor();
  const look = await watchFrames(page, BLANK_ROW);
  for (const title of ["First", "Second", "Third", "Fourth"]) {
    await project.decide(createTask({ title }));
    await page.locator(".log-row", { hasText: title }).waitFor();
  }
  const { wrong, frames } = await look();
  expect(frames).toBeGreaterThan(4);
  expect(wrong).toBe(0);
  expect(seen).toEqual({ faults: [], strangers: [] });
});

test("however many events come that a filter lets through, none is missing", async () => {
  const { project, panel } = await freshPanel();
  const task = await freshTask(project, { title: "Lay the points" });
  await start(project, task, "s-1");
  const { page, seen } = await openPage(panel, "/log?type=signal.learned");
  await page.getByText("No events match these filters.").waitFor();
  const events = learnedOf(
    { task, session: "s-1" },
    Array.from({ length: 2_600 }, (_, nth) => `Learning ${nth}.`),
  );
  await project.log.append(events);
  await page.getByText("2,600 found").waitFor();
  await project.log.append(events.slice(0, 1).map((event) => ({ ...event, id: randomUUID() })));
  await page.getByText("2,601 found").waitFor();
  expect(seen).toEqual({ faults: [], strangers: [] });
});

test("each event has its moment with the zone, on a phone too; how long ago on hover", async () => {
  const { project, panel } = await freshPanel();
  await twoTasks(project);
  const phone = { viewport: { width: 390, height: 800 }, timezoneId: "Asia/Tokyo", hasTouch: true };
  const { page, seen } = await openPage(panel, "/log", phone);
  const row = page.locator(".log-row", { hasText: /Set the signals/ });
  await row.waitFor();
  const when = row.getByRole("time");
  await expect.poll(() => when.innerText()).toMatch(/^\d\d? \w+ \d{4}, \d\d:\d\d:\d\d GMT\+9$/);
  await expect.poll(() => when.getAttribute("title")).toMatch(/^\d+ s ago$/);
  await expect.poll(() => row.locator(".actor").isVisible()).toBe(true);
  await page.getByText("More", { exact: true }).click();
  await page.getByRole("button", { name: "local" }).filter({ visible: true }).click();
  await expect.poll(() => when.innerText()).toMatch(/ UTC$/);
  expect(seen).toEqual({ faults: [], strangers: [] });
});

test.each([1280, 390])(
  "at %i pixels an event has links to its task, by its title at the moment, and to its session",
  async (width) => {
    const { project, panel, origin } = await freshPanel();
    const { task, learned } = await twoTasks(project);
    const head = await project.log.head();
    await project.decide(changeTask({ task, title: "Lay the crossing" }));
    const { page, seen } = await openPage(panel, "/log", { viewport: { width, height: 800 } });
    const row = page.locator(".log-line", { hasText: `#${learned}` });
    const taskLink = row.getByRole("link", { name: `#${task} Lay the crossing` });
    await taskLink.waitFor();
    await page.goto(`${origin}/log?at=${head}`);
    await row.getByRole("link", { name: `#${task} Lay the points` }).waitFor();
    await row.getByRole("link", { name: "s-1", exact: true }).click();
    await page.waitForURL(/\/sessions\?.*session=s-1/);
    await page.goto(`${origin}/log`);
    expect(
      await page.locator(".log-line", { hasText: "feature.created" }).first().locator(".log-of").count(),
    ).toBe(0);
    await taskLink.click();
    await page.waitForURL(`**/tasks/${task}`);
    expect(seen).toEqual({ faults: [], strangers: [] });
  },
);
