// @module-tag chromium
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { freshPanel, openPage, useBrowser } from "./support/browser.ts";
import { subjectsOf, useDemo } from "./support/demo.ts";
import { givenQuestions } from "./support/given-inbox.ts";
import { goTo, views } from "./support/views.ts";

useBrowser();
const demo = useDemo("056-L0");

/** The last but one is a laptop of 1,440 × 900 at 200 %. */
const SIZES = [
  [320, 700],
  [390, 844],
  [641, 800],
  [720, 450],
  [800, 800],
  [1_000, 800],
  [1_024, 768],
  [1_440, 900],
] as const;

/** What is wider than the page, or is cut off by the pane beside it; to be run in the page. */
const TOO_WIDE = `(() => {
  const wide = document.documentElement.scrollWidth > innerWidth ? ["the page: " + document.documentElement.scrollWidth] : [];
  const rows = [...document.querySelectorAll(".log-line, .learning-row, .inbox-row, .filter-bar, .time-bar, .pane")];
  const cut = rows.filter((one) => one.checkVisibility({ visibilityProperty: true }) && one.scrollWidth > one.clientWidth + 1);
  return [...wide, ...cut.map((one) => one.className + ": " + one.scrollWidth + " in " + one.clientWidth)];
})()`;

test.each(SIZES)(
  "at %i × %i pixels no view is wider than the screen, and details have a way back",
  async (width, height) => {
    const { panel } = await freshPanel({ project: demo() });
    const { page, seen } = await openPage(panel, "/", { viewport: { width, height } });
    const { task, session, learning } = await subjectsOf(demo());
    for (const { name, path } of views) {
      await goTo(page, name === "timeline" ? `${path}${task}` : path);
      expect(await page.evaluate(TOO_WIDE), name).toEqual([]);
    }
    for (const [path, list] of [
      [`/board?task=${task}`, ".board-main"],
      [`/sessions?session=${session}`, ".sessions-main, .sessions-list"],
      [`/learnings?learning=${learning}`, ".learnings-list"],
      ["/log?event=30", ".log-list"],
    ] as const) {
      await page.goto(new URL(path, page.url()).href);
      await page.getByRole("complementary").first().waitFor();
      expect(await page.evaluate(TOO_WIDE), path).toEqual([]);
      await expect.poll(() => page.locator(list).first().isVisible(), { message: path }).toBe(width > 1_000);
      await page.locator(".pane-close").click();
      await page.locator(list).first().waitFor();
    }
    expect(seen).toEqual({ faults: [], strangers: [] });
  },
);

test.each(SIZES)("at %i × %i pixels an answer has room to be written", async (width, height) => {
  const { panel } = await freshPanel({ project: await givenQuestions("First?", "Second?") });
  const { page } = await openPage(panel, "/inbox", { viewport: { width, height } });
  await page.getByText("First?").first().click();
  const field = page.locator(".inbox-pane textarea").first();
  await field.waitFor();
  await expect
    .poll(() => widthOf(page, ".inbox-pane textarea"))
    .toBeGreaterThanOrEqual(Math.min(320, width - 48));
  await expect.poll(() => page.locator(".inbox-list").isVisible()).toBe(width > 1_000);
});

test.each([
  [720, 450],
  [1_440, 900],
])(
  "at %i × %i pixels the time bar is folded until it is asked for, or the past is shown",
  async (width, height) => {
    const { panel } = await freshPanel({ project: demo() });
    const { page } = await openPage(panel, "/log", { viewport: { width, height } });
    const slider = page.getByRole("slider", { name: "Position in the log" });
    await page.getByText(/live · last event #/).waitFor();
    await expect.poll(() => slider.isVisible()).toBe(false);
    await page.getByRole("button", { name: "Time bar: now" }).click();
    for (const word of ["Play", "Previous mark", "Next mark", "Zoom in", "Zoom out", "Back to now"])
      await page
        .getByText(word, { exact: word !== "Play" })
        .first()
        .waitFor();
    await page.keyboard.press("Escape");
    await slider.waitFor({ state: "hidden" });
    await goTo(page, "/log?at=30");
    await slider.waitFor();
  },
);

test("between a phone and a wide screen the rail is icons with names, and the filters are behind a button", async () => {
  const { panel } = await freshPanel({ project: demo() });
  const { page } = await openPage(panel, "/board", { viewport: { width: 800, height: 800 } });
  const rail = page.getByRole("navigation", { name: "Views" });
  await rail.getByRole("link", { name: "Sessions" }).waitFor();
  expect(await widthOf(page, ".rail")).toBeLessThan(64);
  await goTo(page, "/log");
  const search = page.getByRole("searchbox", { name: "Search event texts" });
  await expect.poll(() => search.isVisible()).toBe(false);
  await page.getByRole("button", { name: "Filters" }).click();
  await search.waitFor();
  await page.getByRole("button", { name: "Filters" }).click();
  await search.waitFor({ state: "hidden" });
  await page.keyboard.press("/");
  await expect.poll(() => page.evaluate("document.activeElement?.name")).toBe("text");
});

async function widthOf(page: Page, selector: string): Promise<number> {
  return (await page.locator(selector).first().boundingBox())?.width ?? 0;
}
