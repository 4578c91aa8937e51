// @module-tag chromium
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { barriersOn } from "./support/axe.ts";
import { freshPanel, openPage, useBrowser } from "./support/browser.ts";
import { subjectsOf, useDemo } from "./support/demo.ts";
import { givenEveryKind } from "./support/given-inbox.ts";
import { goTo } from "./support/views.ts";

useBrowser();
const demo = useDemo("056");

/** In light and dark, on a screen and on a phone. */
async function barriersEverywhere(page: Page): Promise<string[]> {
  const barriers: string[] = [];
  for (const [width, height] of [
    [1_280, 800],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.locator(`html[data-theme="${colorScheme}"]`).waitFor();
      const found = await barriersOn(page);
      barriers.push(...found.map((barrier) => `${width} px, ${colorScheme}: ${barrier}`));
    }
  }
  return barriers;
}

test.each([
  ["the board", () => "/board"],
  ["the board with a task beside it", ({ task }) => `/board?task=${task}`],
  ["the board as a graph", ({ task }) => `/board?task=${task}&show=graph`],
  ["the board without a hit", () => "/board?text=nothing-of-the-kind"],
  ["the sessions", () => "/sessions"],
  ["the sessions with one beside them", ({ session }) => `/sessions?session=${session}`],
  ["a timeline", ({ task }) => `/tasks/${task}`],
  ["the learnings", () => "/learnings"],
  ["the learnings with one beside them", ({ learning }) => `/learnings?learning=${learning}`],
  ["the charts", () => "/charts"],
  ["the log", () => "/log"],
  ["the log with an event beside it", () => "/log?event=40"],
  ["the past", () => "/board?at=40"],
] as [string, (given: Awaited<ReturnType<typeof subjectsOf>>) => string][])(
  "axe finds nothing on %s, in light and dark, on a screen and a phone",
  async (_, pathOf) => {
    const path = pathOf(await subjectsOf(demo()));
    const { panel } = await freshPanel({ project: demo() });
    const { page, seen } = await openPage(panel);
    if (path.includes("text=")) await page.goto(new URL(path, page.url()).href);
    else if (path.includes("show=graph")) {
      await page.goto(new URL(path, page.url()).href);
      await page.locator(".graph-node").first().waitFor();
    } else await goTo(page, path);
    await page.getByRole("main").waitFor();
    expect(await barriersEverywhere(page)).toEqual([]);
    expect(seen).toEqual({ faults: [], strangers: [] });
  },
);

test("axe finds nothing on an item of each kind in the inbox", async () => {
  const { panel, project } = await freshPanel({ project: await givenEveryKind() });
  const { page, seen } = await openPage(panel);
  await goTo(page, "/inbox");
  const items = await page
    .getByRole("region", { name: /^Waiting for you/ })
    .getByRole("link")
    .all();
  expect(items.length).toBe((await project.queries.inbox()).length);
  const addresses = await Promise.all(items.map((item) => item.getAttribute("href")));
  for (const address of addresses) {
    await goTo(page, address ?? "");
    expect(await barriersEverywhere(page), address ?? "").toEqual([]);
  }
  expect(seen).toEqual({ faults: [], strangers: [] });
});

test("axe finds nothing in popups: the keys, a menu, the reasons of a status, a chart's table", async () => {
  const { panel } = await freshPanel({ project: demo() });
  const { page, seen } = await openPage(panel);
  await goTo(page, "/board");
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).getByRole("heading").first().waitFor();
  expect(await barriersEverywhere(page), "keys").toEqual([]);
  await page.keyboard.press("Escape");
  await page.setViewportSize({ width: 1_280, height: 800 });
  await page
    .getByRole("button", { name: /^Set status of/ })
    .first()
    .click();
  await page.getByRole("menu").waitFor();
  expect(await barriersOn(page), "menu").toEqual([]);
  await page.keyboard.press("Escape");
  await page.locator(".why button, button.why").first().focus();
  await page.getByRole("dialog").getByText("rules.md").first().waitFor();
  expect(await barriersOn(page), "reasons").toEqual([]);
  await goTo(page, "/charts");
  for (const button of await page.getByRole("button", { name: "Show table" }).all()) await button.click();
  for (const button of await page.getByRole("button", { name: "How is this counted?" }).all())
    await button.click();
  expect(await barriersEverywhere(page), "tables").toEqual([]);
  expect(seen).toEqual({ faults: [], strangers: [] });
});

test("axe finds nothing in an empty project", async () => {
  const { panel } = await freshPanel();
  const { page, seen } = await openPage(panel);
  for (const path of ["/board", "/inbox", "/sessions", "/learnings", "/charts"]) {
    await page.goto(new URL(path, page.url()).href);
    await page.getByText(/live · last event #/).waitFor({ state: "attached" });
    expect(await barriersEverywhere(page), path).toEqual([]);
  }
  expect(seen).toEqual({ faults: [], strangers: [] });
});
