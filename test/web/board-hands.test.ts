// @module-tag chromium
import { expect, test } from "vitest";
import { ask, ended, set, started, suggest } from "../projections/board/history.ts";
import { cardOf, columnOf, task } from "./support/board.ts";
import { freshPanel, openPage, useBrowser } from "./support/browser.ts";
import { happens } from "./support/happens.ts";

useBrowser();

const quiet = { faults: [], strangers: [] };

test("an open menu and the focus stay when the card moves", async () => {
  const { project, panel } = await freshPanel();
  await happens(project, task(1), task(2));
  const { page, seen } = await openPage(panel, "/board");
  const ready = columnOf(page, "Ready");
  await ready.getByRole("button", { name: "Set status of #1" }).click();
  // The menu focuses its first item once it is painted.
  await page.locator('[role="menuitem"]:focus').waitFor();
  const failed = page.getByRole("menuitem", { name: "Failed" });
  await failed.focus();
  await page.mouse.move(0, 0);
  await happens(project, set(1, "blocked"));
  await columnOf(page, "Blocked").getByRole("article", { name: "#1" }).waitFor();
  await ready.getByRole("button", { name: "Blocked why? #1" }).waitFor();
  expect(await failed.evaluate((one) => one.matches(":focus"))).toBe(true);
  expect(seen).toEqual(quiet);
});

test("while the pointer rests on a card, the others are as they are now, and it does not move", async () => {
  const { project, panel } = await freshPanel();
  await happens(project, task(1), task(2), task(3));
  const { page, seen } = await openPage(panel, "/board");
  await cardOf(page, 2).hover();
  const place = await cardOf(page, 2).boundingBox();
  await happens(project, set(1, "done"), task(4, { title: "Another" }), task(5, { priority: "critical" }));
  const ready = columnOf(page, "Ready");
  await ready.getByRole("article", { name: "#1" }).waitFor({ state: "detached" });
  await ready.getByRole("article", { name: "#4 Another" }).waitFor();
  await ready.getByRole("article", { name: "#5" }).waitFor({ state: "attached" });
  expect(await cardOf(page, 2).boundingBox()).toEqual(place);
  await happens(project, set(5, "done"));
  await ready.getByRole("article", { name: "#5" }).waitFor({ state: "detached" });
  expect(await cardOf(page, 2).boundingBox()).toEqual(place);
  await page.mouse.move(0, 0);
  await expect.poll(async () => (await cardOf(page, 2).boundingBox())?.y).toBeLessThan(place?.y ?? 0);
  expect(seen).toEqual(quiet);
});

test("approving proposals by key moves to the next one", async () => {
  const { project, panel } = await freshPanel();
  const ideas = ["One", "Two", "Three"].map((title) => suggest(title));
  await happens(project, task(1), started(), ...ideas, ended(), task(5, { status: "draft" }));
  const { page, seen } = await openPage(panel, "/board");
  await cardOf(page, 2).getByRole("link", { name: "One" }).focus();
  for (const next of ["Two", "Three"]) {
    await page.keyboard.press("a");
    await page.locator(".card-title:focus", { hasText: next }).waitFor();
  }
  await page.keyboard.press("a");
  await page.getByText("#4 approved.").waitFor();
  for (const id of [2, 3, 4]) expect((await project.queries.taskRow(id))?.status).toBe("pending");
  expect(seen).toEqual(quiet);
});

test("a proposal is decided on in its pane, by button on a phone and by key", async () => {
  const { project, panel } = await freshPanel();
  await happens(project, task(1), started(), suggest("One"), suggest("Two"), ended());
  const phone = await openPage(panel, "/board?task=2", { viewport: { width: 390, height: 844 } });
  await phone.page.getByRole("button", { name: "Approve" }).click();
  await phone.page.getByRole("button", { name: "Undo: approved “One”" }).waitFor();
  const { page } = await openPage(panel, "/board?task=3");
  const pane = page.getByRole("complementary", { name: "Task 3" });
  await pane.getByRole("button", { name: "Approve" }).focus();
  await page.keyboard.press("x");
  await pane.getByRole("button", { name: "Undo: rejected “Two”" }).waitFor();
  await page.locator(".open-items:focus").waitFor();
  expect((await project.queries.taskRow(2))?.status).toBe("pending");
  expect((await project.queries.taskRow(3))?.status).toBe("skipped");
});

test("the status menu supports Home, End and letters, and Tab leaves it", async () => {
  const { project, panel } = await freshPanel();
  await happens(project, task(1), started(), ask(), ended());
  const { page } = await openPage(panel, "/board");
  await cardOf(page, 1).getByRole("button", { name: "Set status of #1" }).click();
  const on = (name: string) => page.locator('[role="menuitem"]:focus', { hasText: name }).waitFor();
  await on("Draft");
  for (const [key, name] of [
    ["End", "Skipped"],
    ["Home", "Draft"],
    ["b", "Blocked"],
    ["d", "Done"],
    ["d", "Draft"],
  ] as const) {
    await page.keyboard.press(key);
    await on(name);
  }
  await page.keyboard.press("Tab");
  await page.getByRole("menu").waitFor({ state: "detached" });
});

test("another filter takes no card away that it lets through, and shows its column from the top", async () => {
  const { project, panel } = await freshPanel();
  await happens(
    project,
    ...Array.from({ length: 25 }, (_, nth) => task(nth + 1, { title: `Work ${nth + 1}` })),
  );
  const { page } = await openPage(panel, "/board");
  await cardOf(page, 1).evaluate((one) => one.setAttribute("data-seen", ""));
  await page.getByRole("searchbox").fill("1");
  await page.getByRole("heading", { name: "Ready 12 of 25" }).waitFor();
  await expect.poll(() => cardOf(page, 1).getAttribute("data-seen")).toBe("");
});
