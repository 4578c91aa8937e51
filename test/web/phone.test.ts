// @module-tag chromium
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { createTask } from "../../src/operations/tasks.ts";
import { freshPanel, openPage, useBrowser } from "./support/browser.ts";
import { subjectsOf, useDemo } from "./support/demo.ts";
import { givenQuestions } from "./support/given-inbox.ts";
import { goTo, views } from "./support/views.ts";

useBrowser();
const demo = useDemo("056-L0");

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const SCREEN = { viewport: { width: 1_280, height: 800 } };

/**
 * Controls that a finger would miss, and what is wider than the screen; to be run in the page. A segment of a phase bar is as
 * wide as its phase was long (WCAG 2.5.8: essential); the session's panel has the same states as a list.
 */
const CLUMSY = `(() => {
  const seen = (one) => one.checkVisibility({ visibilityProperty: true }) && one.getClientRects().length > 0 && !one.closest(".hidden-but-read");
  const inText = (one) => one.tagName === "A" && getComputedStyle(one).display === "inline";
  const small = [...document.querySelectorAll("a:not(.segment), button, select, summary, textarea, input")].filter((one) => {
    const { width, height } = (one.closest("label") ?? one).getBoundingClientRect();
    const least = one.closest(".rail") ? 48 : 24;
    return seen(one) && !inText(one) && (width < 24 || height < least - 0.5);
  });
  const wide = document.documentElement.scrollWidth > innerWidth ? ["the page: " + document.documentElement.scrollWidth] : [];
  return [...wide, ...small.map((one) => one.outerHTML.slice(0, 160) + " " + one.getBoundingClientRect().width + "x" + one.getBoundingClientRect().height)];
})()`;

async function pathsOf() {
  const { task, session, learning } = await subjectsOf(demo());
  return views.map(({ name, path }) => ({
    name,
    path: name === "timeline" ? `${path}${task}` : path,
    details: {
      board: `/board?task=${task}`,
      sessions: `/sessions?session=${session}`,
      learnings: `/learnings?learning=${learning}`,
      log: "/log?event=30",
    }[name as string],
  }));
}

test("on a phone nothing is wider than the screen, and targets are large enough for a finger", async () => {
  const { panel } = await freshPanel({ project: demo() });
  const { page, seen } = await openPage(panel, "/", PHONE);
  for (const { path, details } of await pathsOf()) {
    for (const shown of details === undefined ? [path] : [path, details]) {
      await page.goto(new URL(shown, page.url()).href);
      await (shown === path ? goTo(page, path) : page.getByRole("complementary").first().waitFor());
      expect(await page.evaluate(CLUMSY), shown).toEqual([]);
    }
  }
  expect(seen).toEqual({ faults: [], strangers: [] });
});

test("on a phone each view is a tap away, and from details one gets back to the list", async () => {
  const { panel } = await freshPanel({ project: demo() });
  const { page } = await openPage(panel, "/inbox", PHONE);
  const rail = page.getByRole("navigation", { name: "Views" });
  for (const name of ["Board", "Inbox", "Sessions"]) {
    await rail.getByRole("link", { name }).tap();
    await rail.locator("[aria-current=page]", { hasText: name }).waitFor();
  }
  for (const name of ["Learnings", "Charts", "Log"]) {
    await rail.getByText("More").tap();
    await rail.getByRole("link", { name }).tap();
    await page.waitForURL(`**/${name.toLowerCase()}`);
    await expect.poll(() => rail.getByRole("link", { name }).isVisible()).toBe(false);
  }
  await rail.getByText("More").tap();
  await rail.getByRole("button", { name: /^Theme/ }).tap();
  await page.locator("html[data-theme=light]").waitFor();
  for (const { path, details } of await pathsOf()) {
    if (details === undefined) continue;
    await page.goto(new URL(details, page.url()).href);
    await page.getByRole("complementary").first().waitFor();
    const close = /Close|‹/;
    await page
      .getByRole("link", { name: close })
      .or(page.getByRole("button", { name: close }))
      .first()
      .tap();
    await page
      .locator(views.find((one) => one.path === path)?.shown ?? "")
      .filter({ visible: true })
      .first()
      .waitFor();
  }
});

test("on a phone a list is where it was when one comes back to it", async () => {
  const { project, panel } = await freshPanel();
  await project.log.append(
    Array.from({ length: 60 }, (_, nth) => ({
      type: "learning.added" as const,
      actor: "human",
      payload: { text: `${"abcdefgh".slice(nth % 8)}${nth} ${nth * 17}`, source: "human", kind: "discovery" },
    })),
  );
  const { page } = await openPage(panel, "/learnings", PHONE);
  const list = page.getByRole("region", { name: "Learnings" });
  await list.getByRole("button").first().waitFor();
  const shown = await list.locator(".learning-text").first().boundingBox();
  expect(shown?.height).toBeLessThan(24);
  await list.evaluate((box) => box.scrollTo(0, 2_000));
  await list.getByRole("button", { name: " 408 " }).tap();
  await page.getByRole("complementary").getByRole("link", { name: "Learnings" }).tap();
  await expect.poll(() => list.evaluate((box) => box.scrollTop)).toBe(2_000);
});

test("on a phone a question is answered with one tap", async () => {
  const project = await givenQuestions("First?");
  const { panel } = await freshPanel({ project });
  const { page } = await openPage(panel, "/inbox", PHONE);
  await page.getByRole("link", { name: /First\?/ }).tap();
  await page.getByRole("button", { name: "tabs" }).tap();
  await page.getByText("Nothing needs you").first().waitFor();
  await expect
    .poll(async () => (await project.log.read(0, 100)).at(-1))
    .toMatchObject({ type: "question.answered", payload: { answer: "tabs" } });
});

/** Notes each shift of what was there already, before the page begins. */
const WATCH_SHIFTS = `
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      window.shifts.push(entry.value.toFixed(4) + " " + entry.sources.map(({ node }) => node?.outerHTML?.slice(0, 120) ?? node?.textContent).join(" | "));
  }).observe({ type: "layout-shift", buffered: true });
`;

/**
 * What moved, where it is to be seen: the header's age of the last event grows by a digit and the badges of the rail come with
 * the counts, by less than a hundredth together (panel.md asks for none that the eye can follow).
 */
async function shiftsOn(page: Page): Promise<string[]> {
  // What was drawn last has been looked at.
  await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
  const shifts = await page.evaluate<string[]>("window.shifts");
  const sum = shifts.reduce((all, shift) => all + Number.parseFloat(shift), 0);
  return sum < 0.01 ? [] : shifts;
}

test.each([
  ["a screen", SCREEN],
  ["a phone", PHONE],
])("on %s nothing moves while a view loads", async (_, size) => {
  const { panel } = await freshPanel({ project: demo() });
  const { page } = await openPage(panel, "/log", size);
  await page.addInitScript(WATCH_SHIFTS);
  for (const { path, details } of await pathsOf()) {
    for (const shown of details === undefined ? [path] : [path, details]) {
      await page.goto(new URL(shown, page.url()).href);
      await (shown === path ? goTo(page, path) : page.getByRole("complementary").first().waitFor());
      expect(await shiftsOn(page), shown).toEqual([]);
    }
  }
});

test("a new event moves nothing that is shown", async () => {
  const { project, panel } = await freshPanel({ project: await givenQuestions("First?", "Second?") });
  const { page } = await openPage(panel, "/log", SCREEN);
  await page.addInitScript(WATCH_SHIFTS);
  for (const path of ["/board", "/inbox", "/sessions", "/tasks/1"]) {
    await goTo(page, path);
    const [event] = await project.decide(createTask({ title: `Seen from ${path}`, priority: "low" }));
    await page.getByText(`live · last event #${event?.position}`).waitFor();
    if (path === "/board") await page.getByRole("link", { name: "Seen from /board" }).waitFor();
    expect(await shiftsOn(page), path).toEqual([]);
  }
});
