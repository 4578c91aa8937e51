// @module-tag chromium
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import type { Panel } from "../../adapters/page/server/serve.ts";
import { ALL_SIZES, barriersEverywhere, barriersOn } from "./support/axe.ts";
import { freshPanel, openPage, useBrowser } from "./support/browser.ts";
import { subjectsOf, useDemo } from "./support/demo.ts";
import { givenEveryKind } from "./support/given-inbox.ts";
import { goTo, views } from "./support/views.ts";

useBrowser();
const demo = useDemo("056");

/** A place of the page, and how to see that it stands there. */
interface Place {
  readonly path: string;
  /** Absent: as `goTo` waits for it. */
  isShown?(page: Page): Promise<unknown>;
}

/** What axe finds at places, each with its address; the pages share them. */
async function barriersAt(
  pages: readonly Page[],
  places: readonly Place[],
  options?: Parameters<typeof barriersEverywhere>[1],
): Promise<string[]> {
  const left = [...places];
  const found: string[] = [];
  const look = async (page: Page) => {
    for (let place = left.shift(); place !== undefined; place = left.shift()) {
      const { path, isShown } = place;
      if (isShown) {
        await page.goto(new URL(path, page.url()).href);
        await isShown(page);
      } else await goTo(page, path);
      const barriers = await barriersEverywhere(page, options);
      found.push(...barriers.map((barrier) => `${path}, ${barrier}`));
    }
  };
  await Promise.all(pages.map(look));
  return found;
}

/** Two pages, each in a window of its own: a page behind another one has a frame a second. */
async function twoPages(panel: Panel) {
  const [one, other] = [await openPage(panel), await openPage(panel)];
  return { pages: [one.page, other.page], page: one.page, seen: [one.seen, other.seen] };
}

const CLEAN = { faults: [], strangers: [] };

/** The address of each view, and of what stands beside its list. */
async function placesIn(project: Parameters<typeof subjectsOf>[0]): Promise<Place[]> {
  const { task, session, learning } = await subjectsOf(project);
  return [
    { path: "/board" },
    { path: `/board?task=${task}` },
    {
      path: `/board?task=${task}&show=graph`,
      isShown: (page) => page.locator(".graph-node").first().waitFor(),
    },
    { path: "/inbox" },
    { path: "/sessions" },
    { path: `/sessions?session=${session}` },
    { path: `/tasks/${task}` },
    { path: "/learnings" },
    { path: `/learnings?learning=${learning}` },
    { path: "/charts" },
    { path: "/log" },
    { path: "/log?event=40" },
    { path: "/compare?from=10&to=40", isShown: (page) => page.getByRole("heading", { level: 1 }).waitFor() },
    { path: "/policies", isShown: (page) => page.getByRole("heading", { level: 1 }).waitFor() },
    { path: "/board?at=40" },
  ];
}

test("axe finds nothing on any view, at each size, in light and dark", async () => {
  const { panel } = await freshPanel({ project: demo() });
  const { pages, seen } = await twoPages(panel);
  expect(await barriersAt(pages, await placesIn(demo()), { sizes: ALL_SIZES })).toEqual([]);
  expect(seen).toEqual([CLEAN, CLEAN]);
});

test("axe finds nothing where a view has nothing to show, or the address is wrong", async () => {
  const { panel } = await freshPanel({ project: demo() });
  const { pages } = await twoPages(panel);
  const says = (words: RegExp) => (page: Page) => page.getByText(words).first().waitFor();
  const places = [
    { path: "/board?text=nothing-of-the-kind", isShown: says(/No tasks match/) },
    { path: "/log?text=nothing-of-the-kind", isShown: says(/No events match/) },
    { path: "/board?task=1e9", isShown: says(/is not/) },
    { path: "/tasks/99999", isShown: says(/no task 99999/) },
    { path: "/sessions?session=nobody", isShown: says(/no session nobody/) },
    { path: "/nowhere", isShown: says(/There is no view/) },
  ];
  expect(await barriersAt(pages, places)).toEqual([]);
});

test("axe finds nothing while views load, and where the server fails", async () => {
  const { panel } = await freshPanel({ project: demo() });
  const { pages } = await twoPages(panel);
  const paths = views.map(({ path }) => (path === "/tasks/" ? "/tasks/1" : path));
  // Those of the stream and of the page's own files pass.
  const answers = /\/api\/(?!stream)/;
  for (const page of pages) await page.route(answers, () => {});
  const loading = paths.map((path) => ({ path, isShown: loads }));
  expect(await barriersAt(pages, loading, { isLoading: true })).toEqual([]);
  const body = JSON.stringify({ error: { code: "internal", message: "The disk is full." } });
  for (const page of pages) {
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await page.route(answers, (route) =>
      route.fulfill({ status: 500, contentType: "application/json", body }),
    );
  }
  const failing = paths.map((path) => ({ path, isShown: fails }));
  expect(await barriersAt(pages, failing)).toEqual([]);
});

function loads(page: Page) {
  return page
    .getByRole("main")
    .getByText(/^Loading /)
    .first()
    .waitFor();
}

function fails(page: Page) {
  return page.getByRole("main").getByRole("alert").first().waitFor();
}

test("axe finds nothing on an item of each kind in the inbox", async () => {
  const { panel, project } = await freshPanel({ project: await givenEveryKind() });
  const { pages, page, seen } = await twoPages(panel);
  await goTo(page, "/inbox");
  const items = await page
    .getByRole("region", { name: /^Waiting for you/ })
    .getByRole("link")
    .all();
  expect(items.length).toBe((await project.queries.inbox()).length);
  const addresses = await Promise.all(items.map((item) => item.getAttribute("href")));
  expect(
    await barriersAt(
      pages,
      addresses.map((address) => ({ path: address ?? "" })),
    ),
  ).toEqual([]);
  expect(seen).toEqual([CLEAN, CLEAN]);
});

test("axe finds nothing in popups: the keys, a menu, the reasons of a status, the loop, marked items, a chart's table", async () => {
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
  await page.getByRole("button", { name: "Loop …" }).click();
  await page.getByRole("dialog", { name: "Loop" }).getByLabel("Reason").waitFor();
  expect(await barriersOn(page), "loop").toEqual([]);
  await goTo(page, "/inbox");
  await page
    .getByRole("checkbox", { name: /^Mark: / })
    .first()
    .check();
  await page
    .getByText(/^1 .* marked/)
    .first()
    .waitFor();
  expect(await barriersEverywhere(page), "marked items").toEqual([]);
  await goTo(page, "/charts");
  for (const button of await page.getByRole("button", { name: "Show table" }).all()) await button.click();
  for (const button of await page.getByRole("button", { name: "How is this counted?" }).all())
    await button.click();
  expect(await barriersEverywhere(page), "tables").toEqual([]);
  expect(seen).toEqual(CLEAN);
});

test("axe finds nothing in an empty project", async () => {
  const { panel } = await freshPanel();
  const { pages, seen } = await twoPages(panel);
  const isLive = (page: Page) => page.getByText(/live · last event #/).waitFor({ state: "attached" });
  const places = ["/board", "/inbox", "/sessions", "/learnings", "/charts", "/log"].map((path) => ({
    path,
    isShown: isLive,
  }));
  expect(await barriersAt(pages, places)).toEqual([]);
  expect(seen).toEqual([CLEAN, CLEAN]);
});
